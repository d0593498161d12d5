// In the Worker: one question at a time. Whoever does not want the answer any more ends the Worker and starts another.
let module = null, files = null;
onmessage = ({data}) => {
  if (data.module) {
    module = data.module;
    files = new Files(data.files);
    return;
  }
  const tell = text => postMessage({id: data.id, told: text});
  const began = performance.now(), said = answer(module, files.over(data.files), data.request, tell);
  postMessage({id: data.id, ...said, took_ms: performance.now() - began});
};
