// The question: its state, how it stands in the address and as a scenario, and when it is asked.
// Beside the shipped scenarios, whose files (traces, partitions) a scenario may name.
const machine_file = "machine.yaml", folder = "data/scenarios/";
const state = {platform: "fermi", network: "infiniband", ranks: 16, per_node: 4, kernel: "wave2d", parameters: {}, models: ["hockney", "loggp"], yaml: null, scenario: null, files: {}};
let slow_motion = null, engine = null, catalogue = null, live = null, predictor = null, check = null, yaml_editor = null, yaml_right = true;

// Where each rank sends to each other one: fewer repetitions than the program's own, so that the page answers at once on 256 ranks.
const first_parameters = {"h-relation": {sizes: "1B,1KiB,64KiB"}, "inner-product": {repetitions: "2"}, "nbody-ring": {iterations: "2"}};

const platform_of = () => catalogue.platforms.find(platform => platform.name === state.platform);
const kernel_of = () => catalogue.kernels.find(kernel => kernel.name === state.kernel);
const plain = text => /^[\w.+-]+$/.test(text) && !/^(true|false|yes|no|on|off|null|~)$/i.test(text) ? text : JSON.stringify(text);

function scenario_text() {
  const parameters = Object.entries(state.parameters).map(([name, value]) => `\n  ${name}: ${/^(true|false)$/.test(value) ? value : plain(value)}`).join("");
  return `title: ${JSON.stringify(`${state.kernel} on ${state.platform}`)}\n` +
      `source: "the workbench"\nplatform: ${state.yaml === null ? state.platform : machine_file}\nnetwork: ${plain(state.network)}\n` +
      `layout: {ranks: ${state.ranks}, per-node: ${state.per_node}}\n` +
      (parameters ? `kernel:\n  name: ${state.kernel}${parameters}\n` : `kernel: {name: ${state.kernel}}\n`) +
      (state.models.length > 0 ? `models: [${state.models.join(", ")}]\n` : "") + "engine: flow\n";
}
const without_models = text => text.replace(/^models:.*\n/m, "");
const question_files = scenario => ({...Object.fromEntries(Object.entries(state.files).map(([name, text]) => [folder + name, text])), [`${folder}scenario.yaml`]: scenario, ...(state.yaml === null ? {} : {[folder + machine_file]: state.yaml})});
const request = {command: "run", scenario: `${folder}scenario.yaml`, format: "page"};
// Without what was drawn of progress before it.
const problem_text = error => error.replace(/\r\x1b\[K[^\r\n]*(?=\r)/g, "").replaceAll("\r\x1b[K", "").replaceAll(folder, "").trim();

// A message of progress is a line that the program draws anew.
const last_line = text => text.split(/[\r\n]+/).map(line => line.replace(/\x1b\[K/g, "")).filter(Boolean).at(-1) ?? "";

const models_wait_ms = 60;
let asked = 0, busy_since = null, again = false, late = null;
async function ask() {
  clearTimeout(late);
  [busy_since, again] = [performance.now(), false];
  const number = ++asked, scenario = state.scenario ?? scenario_text(), began = performance.now();
  $("scenario").value = scenario;
  $("answer").classList.add("old");
  $("stop").hidden = false;
  const with_models = state.scenario === null && state.models.length > 0;
  const tell = (what, begun) => text => {
    const line = last_line(text);
    if (number === asked && line && begun()) $("state").textContent = `${what}: ${line}`;
  };
  $("state").textContent = "simulating …";
  to_fragment(state).then(text => history.replaceState(null, "", `#q=${text}`));
  const broken = problem => ({code: 1, out: "", error: `The engine stopped: ${problem.message}. Ask again?`});
  // Models are asked beside the simulation, which they do not need; those that answer about as soon are drawn with it.
  const predicted = with_models ? predictor.ask({...request, predict: true}, question_files(scenario), tell("measuring what the models need", () => busy_since === null)).catch(broken) : null;
  const said = await live.ask(request, question_files(with_models ? without_models(scenario) : scenario), tell("simulating", () => true)).catch(broken);
  const more = predicted !== null && said.code === 0;
  const soon = more ? await Promise.race([predicted, new Promise(done => setTimeout(done, models_wait_ms))]) : undefined;
  if (number !== asked) return;
  busy_since = null;
  finish(soon ? with_predictions(said, soon) : said, began, more && !soon);
  if (again) return ask();
  if (!more || soon) return;
  const late_ones = await predicted;
  if (number === asked) finish(with_predictions(said, late_ones), began, false);
}

function finish(said, began, more) {
  $("answer").classList.remove("old");
  $("stop").hidden = !more;
  $("problem").hidden = true;
  if (said.code !== 0) {
    $("answer").classList.add("old");
    $("problem").textContent = problem_text(said.error);
    $("problem").hidden = false;
    $("state").textContent = "not answered; what stands below is the question before";
    return;
  }
  const title = state.scenario === null ? `${state.kernel} on ${state.yaml === null ? state.platform : `${machine_in(state.yaml) ?? state.platform} (changed)`}, ${state.network}, ${state.ranks} ranks` : JSON.parse(said.out).title ?? "the scenario";
  show_answer(said.out, title);
  $("brief").textContent = `${$("time").textContent} ↓`;
  $("state").textContent = more ? "simulated; the models are being asked …" :
      `answered in ${time_text((performance.now() - began) / 1000)}, of which the engine took ${time_text(said.took_ms / 1000)}`;
}

// While a slider moves, the answer under way is waited for and the next is of where the slider stands then; one that
// takes longer than this is ended.
const patience_ms = 400;
function change() {
  if (!yaml_right) return;
  if (busy_since === null) return ask();
  again = true;
  clearTimeout(late);
  late = setTimeout(ask, Math.max(0, busy_since + patience_ms - performance.now()));
}

function stop_asking() {
  ++asked;
  [busy_since, again] = [null, false];
  clearTimeout(late);
  live.end();
  predictor.end();
  $("stop").hidden = true;
}

function rank_steps() {
  const most = platform_of().node_types.reduce((sum, type) => sum + type.nodes * Math.min(type.cores, state.per_node || type.cores), 0), steps = new Set([most]);
  for (let ranks = 1; ranks < most; ranks *= 2) [ranks, 1.5 * ranks].forEach(n => Number.isInteger(n) && n <= most && steps.add(n));
  return [...steps].filter(n => n <= 8192).sort((a, b) => a - b).map(number => ({number, text: String(number)}));
}
function draw_layout() {
  const cores = Math.max(...platform_of().node_types.map(type => type.cores));
  const per_node = Array.from({length: cores}, (_, i) => ({number: i + 1, text: String(i + 1)}));
  const whole = text => Math.max(0, Math.round(Number(text)) || 0);
  const ranks_knob = () => slider_knob("ranks", "how many processes the program has", rank_steps(), String(state.ranks), text => {
    state.ranks = whole(text);
    change();
  });
  const on_nodes = slider_knob("ranks on each node", "0: as many as fit", per_node, String(state.per_node), text => {
    state.per_node = whole(text);
    state.ranks = Math.min(state.ranks, rank_steps().at(-1).number);
    $("layout").firstChild.replaceWith(ranks_knob());
    change();
  });
  $("layout").replaceChildren(ranks_knob(), on_nodes);
}
function draw_parameters() {
  const kernel = kernel_of();
  $("kernel-summary").textContent = kernel.summary;
  $("parameters").replaceChildren(...kernel.parameters.map(parameter => knob_of(parameter, state.parameters[parameter.name] ?? default_of(parameter), text => {
    if (text === default_of(parameter)) delete state.parameters[parameter.name];
    else state.parameters[parameter.name] = text;
    change();
  })));
}
function draw_networks() {
  const networks = state.yaml === null ? platform_of().networks : networks_in(state.yaml, platform_of().networks);
  if (!networks.includes(state.network)) state.network = networks[0];
  $("network").replaceChildren(...networks.map(name => el("option", {selected: name === state.network}, name)));
}
function draw_machine() {
  const platform = platform_of();
  $("platform").value = state.platform;
  $("platform-source").textContent = `${platform.nodes} nodes. ${platform.source}`;
  draw_networks();
  $("yaml").value = state.yaml ?? engine.files[`data/platforms/${state.platform}.yaml`];
  yaml_editor.show("", null, true);
}
function draw_models() {
  $("models").replaceChildren(...catalogue.models.filter(model => !model.of_runs).map(model => {
    const box = el("input", {type: "checkbox", checked: state.models.includes(model.name), onchange: () => {
      state.models = state.models.filter(name => name !== model.name).concat(box.checked ? [model.name] : []);
      change();
    }});
    return el("label", {class: "choice"}, box, el("span", {}, model.name, el("span", {class: "hint"}, ` ${model.summary}`)));
  }));
}
function draw_scenario_mode() {
  $("knobs").hidden = state.scenario === null;
  for (const id of ["platform", "network", "kernel"]) $(id).disabled = state.scenario !== null;
  document.querySelectorAll("#layout input, #parameters input, #parameters select, #models input").forEach(input => input.disabled = state.scenario !== null);
}
function draw_question() {
  $("kernel").value = state.kernel;
  draw_machine();
  draw_layout();
  draw_parameters();
  draw_models();
  draw_scenario_mode();
}

let checking = null;
function machine_typed() {
  yaml_editor.draw();
  clearTimeout(checking);
  checking = setTimeout(async () => {
    const text = $("yaml").value, shipped = text === engine.files[`data/platforms/${state.platform}.yaml`];
    const said = await check.ask({command: "check", file: folder + machine_file}, {[folder + machine_file]: text});
    yaml_right = said.code === 0;
    const message = problem_text(yaml_right ? said.out : said.error);
    yaml_editor.show(
        yaml_right && shipped ? '' : message, yaml_right ? null : line_of(said.out, machine_file), yaml_right);
    state.yaml = shipped ? null : text;
    if (!yaml_right) return;
    draw_networks();
    change();
  }, 150);
}

function listen() {
  $("platform").addEventListener("change", () => {
    Object.assign(state, {platform: $("platform").value, yaml: null});
    yaml_right = true;
    draw_machine();
    state.per_node = Math.min(state.per_node, Math.max(...platform_of().node_types.map(type => type.cores)));
    state.ranks = Math.min(state.ranks, rank_steps().at(-1).number);
    draw_layout();
    change();
  });
  $("network").addEventListener("change", () => {
    state.network = $("network").value;
    change();
  });
  $("kernel").addEventListener("change", () => {
    Object.assign(state, {kernel: $("kernel").value, parameters: {...first_parameters[$("kernel").value]}});
    draw_parameters();
    change();
  });
  $("yaml").addEventListener("input", machine_typed);
  $("yaml-reset").addEventListener("click", () => {
    $("yaml").value = engine.files[`data/platforms/${state.platform}.yaml`];
    machine_typed();
  });
  $("yaml-save").addEventListener("click", () => save(machine_file, $("yaml").value));
  $("scenario-save").addEventListener("click", () => save("scenario.yaml", $("scenario").value));
  $("scenario").addEventListener("input", () => {
    state.scenario = $("scenario").value;
    draw_scenario_mode();
    change();
  });
  $("shipped").addEventListener("change", () => {
    if (!$("shipped").value) return;
    state.scenario = engine.files[`data/scenarios/${$("shipped").value}.yaml`];
    draw_scenario_mode();
    change();
  });
  $("knobs").addEventListener("click", () => {
    state.scenario = null;
    $("shipped").value = "";
    draw_scenario_mode();
    change();
  });
  $("stop").addEventListener("click", () => {
    stop_asking();
    $("state").textContent = "stopped";
  });
  $("question").addEventListener("submit", event => event.preventDefault());
  addEventListener("hashchange", open_address);
}

function theme_button() {
  const names = ["auto", "light", "dark"];
  let current = 0;
  const apply = () => {
    if (current === 0) delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = names[current];
    $("theme").textContent = `Colours: ${names[current]}`;
    colour_report();
  };
  $("theme").addEventListener("click", () => {
    current = (current + 1) % 3;
    apply();
  });
  apply();
}

async function open_address() {
  const given = /^#q=([\w-]+)$/.exec(location.hash);
  if (given) try {
      const wanted = await from_fragment(given[1]);
      for (const name of Object.keys(state))
        if (name in wanted) state[name] = wanted[name];
      state.models = [state.models].flat().filter(name => catalogue.models.some(model => model.name === name));
      [state.ranks, state.per_node] = [state.ranks, state.per_node].map(value => Math.max(0, Math.round(Number(value)) || 0));
      if (!platform_of() || !kernel_of()) throw new Error(`no machine '${state.platform}' or no program '${state.kernel}'`);
    } catch (problem) {
      Object.assign(state, {platform: "fermi", kernel: "wave2d", parameters: {}});
      $("problem").textContent = `The address cannot be read (${problem.message}). What is shown is the first question.`;
      $("problem").hidden = false;
    }
  draw_question();
  ask();
}
// A question that `orrery page` wrote into this file.
function open_written() {
  const opened = JSON.parse($("opened").textContent);
  if (opened && location.hash === "") Object.assign(state, {scenario: opened.scenario, files: opened.files});
}

async function begin() {
  theme_button();
  $("print").addEventListener("click", () => print());
  const opened = JSON.parse($("opened").textContent);
  if (opened?.lab) return begin_lab(opened.lab);
  slow_motion = new SlowMotion($("slow"));
  glossary_section();
  $("state").textContent = "loading …";
  engine = await Engine.load();
  [live, predictor, check] = [engine.lane(), engine.lane(), engine.lane()];
  catalogue = JSON.parse((await check.ask({command: "catalogue"}, {})).out);
  catalogue.kernels = catalogue.kernels.filter(kernel => !kernel.needs_file);
  $("platform").append(...catalogue.platforms.map(platform => el("option", {}, platform.name)));
  $("kernel").append(...catalogue.kernels.map(kernel => el("option", {}, kernel.name)));
  $("shipped").append(el("option", {value: ""}, "–"), ...catalogue.scenarios.map(one => el("option", {value: one.name}, `${one.name}: ${one.title}`)));
  yaml_editor = editor($("yaml"), $("lines"), $("yaml-problem"));
  listen();
  listen_to_files();
  open_written();
  await open_address();
}
begin().catch(problem => {
  $("problem").textContent = `This browser cannot run the page: ${problem.message}`;
  $("problem").hidden = false;
});
