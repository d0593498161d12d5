// Files dropped into the page, or chosen: a machine, a scenario, or the result.json of a run.
async function take_file(file) {
  const text = await file.text(), say = words => {
    $("problem").textContent = `${file.name}: ${words}`;
    $("problem").hidden = false;
  };
  $("problem").hidden = true;
  if (/^\s*\{/.test(text)) return take_result(text, say);
  if (/^node-types\s*:/m.test(text)) return take_machine(text);
  if (/^(kernel|platform|sweep|points|title)\s*:/m.test(text)) return take_scenario(text);
  say("is neither a machine (which has 'node-types'), nor a scenario (which has 'kernel'), nor the result.json of a run. Is it another file?");
}
// A machine's file as its own reader would see it, as far as the menus need: its name and networks.
const machine_in = text => /^name\s*:\s*"?([^"\s]+)/m.exec(text)?.[1];
function networks_in(text, others) {
  const below = text.split(/^networks\s*:[^\S\n]*(?:#.*)?$/m)[1]?.split(/^[^\s#]/m)[0] ?? "";
  const names = [...below.matchAll(/^  ([\w.-]+)\s*:/gm)].map(found => found[1]);
  return names.length > 0 ? names : others;
}
function take_machine(text) {
  Object.assign(state, {scenario: null, yaml: text});
  draw_question();
  $("edit").open = true;
  $("yaml").value = text;
  machine_typed();
}
function take_scenario(text) {
  state.scenario = text;
  $("shipped").value = "";
  draw_scenario_mode();
  change();
}
// A result is shown as its own report would: the engine turns it into the data of a page.
async function take_result(text, say) {
  stop_asking();
  const path = `${folder}result.json`, said = await check.ask({command: "result", file: path}, {[path]: text});
  if (said.code !== 0) return say(problem_text(said.error));
  const data = JSON.parse(said.out);
  show_answer(said.out, `${data.title}, as it was run`);
  $("state").textContent = "from a file: nothing was simulated";
  $("answer").classList.remove("old");
}

function listen_to_files() {
  const choose = $("file");
  choose.addEventListener("change", () => {
    if (choose.files[0]) take_file(choose.files[0]);
    choose.value = "";
  });
  addEventListener("dragover", event => {
    if (![...event.dataTransfer.types].includes("Files")) return;
    event.preventDefault();
    document.body.classList.add("dropping");
  });
  addEventListener("dragleave", event => event.relatedTarget === null && document.body.classList.remove("dropping"));
  addEventListener("drop", event => {
    event.preventDefault();
    document.body.classList.remove("dropping");
    if (event.dataTransfer.files[0]) take_file(event.dataTransfer.files[0]);
  });
}
