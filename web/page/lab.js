// A lab: a question, a prediction that is committed before anything is shown, then what the engine says beside it.
class LabQuestion {
  // A number on a logarithmic axis, or a choice. `changed` is told when it is answered, or no more.
  constructor(id, question, changed) {
    Object.assign(this, {id, question, value: null});
    this.form = question.choices ? this.choices(changed) : this.number(changed);
    this.verdict = el("div", {class: "verdict", role: "status", "aria-live": "polite"});
    this.root = el("fieldset", {class: "ask", id}, el("legend", {}, ...inline_markdown(question.text)), this.form, this.verdict);
  }
  choices(changed) {
    return el("div", {}, this.question.choices.map(({value, text}, i) => {
      const box = el("input", {type: "radio", name: this.id, value, id: `${this.id}-${i}`, onchange: () => changed(this.value = value)});
      return el("label", {class: "choice"}, box, el("span", {}, spaced(text)));
    }));
  }
  number(changed) {
    const [from, to] = this.question.axis, unit = lab_units[this.question.unit], steps = 400;
    const at = step => Number((from * (to / from) ** (step / steps)).toPrecision(3)), step_of = value => Math.round(steps * Math.log(value / from) / Math.log(to / from));
    const field = el("input", {type: "text", "aria-label": "Your prediction, exactly", placeholder: "type it, with its unit", spellcheck: "false", autocomplete: "off"});
    const range = el("input", {type: "range", min: 0, max: steps, value: steps / 2, "aria-label": "Your prediction, on a logarithmic axis", class: "untouched"});
    const say = value => {
      range.classList.toggle("untouched", value === null);
      range.setAttribute("aria-valuetext", value === null ? "not yet predicted" : unit(value));
      this.told.textContent = value === null ? "" : `= ${unit(value)}`;
      field.setAttribute("aria-invalid", String(value === null && field.value !== ""));
      changed(this.value = value);
    };
    this.told = el("span", {class: "hint"});
    range.addEventListener("input", () => {
      const value = at(range.value);
      field.value = this.question.unit === "data" ? bytes_written(Math.round(value)) : this.question.unit === "time" ? time_text(value).replace("µ", "u").replace(" ", "") : String(value);
      say(read_number(field.value, this.question.unit));
    });
    field.addEventListener("input", () => {
      const value = read_number(field.value, this.question.unit);
      if (value !== null) range.value = Math.max(0, Math.min(steps, step_of(value)));
      say(value);
    });
    const marks = ticks(from, to, true, 6, this.question.unit === "data" ? 2 : 10);
    const scale = el("div", {class: "scale", "aria-hidden": "true"}, marks.map(mark => {
      const at = 100 * step_of(mark) / steps;  // those at the ends stay inside
      return el("span", {class: at < 8 ? "first" : at > 92 ? "last" : null, style: `left: ${at}%`}, unit(mark));
    }));
    return el("div", {}, el("div", {class: "axis"}, range, scale), el("div", {class: "bar"}, field, this.told));
  }
  fix() {
    for (const input of this.root.querySelectorAll("input")) input.disabled = true;
  }
  // What the student reads beside the answer.
  judge() {
    const {answer, points} = this.question, unit = lab_units[this.question.unit];
    if (this.question.choices) {
      const right = this.value === answer.right, name = this.question.choices.find(one => one.value === answer.right).text;
      this.credit = right ? 1 : 0;
      this.verdict.replaceChildren(el("p", {class: right ? "right" : "wrong"}, right ? "That is it." : `The engine says: ${spaced(name)}.`));
      return;
    }
    const off = Math.max(this.value / answer.right, answer.right / this.value), {full_within, none_beyond} = this.question;
    this.credit = Math.max(0, Math.min(1, (Math.log(none_beyond) - Math.log(off)) / (Math.log(none_beyond) - Math.log(full_within))));
    const near = off <= full_within, mistake = near ? null : answer.mistakes.find(one => Math.max(this.value / one.value, one.value / this.value) <= answer.mistake_within);
    this.verdict.replaceChildren(
        el("p", {class: near ? "right" : "wrong"}, el("b", {}, `You said ${unit(this.value)}, the engine says ${unit(answer.right)}`),
           near ? ": within what counts as right." : `: off by a factor of ${Number(off.toPrecision(3))}, ${Math.round(100 * this.credit)} % of the ${points} point${points === 1 ? "" : "s"}.`),
        ...(mistake ? [el("p", {class: "mistake"}, mistake.text)] : []), ...this.other_ideas(answer.mistakes.filter(one => one !== mistake)));
  }
  // What wrong ideas would have answered, worked out by the engine as well.
  other_ideas(mistakes) {
    if (mistakes.length === 0) return [];
    return [el("details", {}, el("summary", {}, "What other ideas would have said"), el("ul", {}, mistakes.map(one => el("li", {}, el("b", {}, `${one.value_text}: `), one.text))))];
  }
}

// "64 KiB", "20us", "16" in SI, or null.
function read_number(text, unit) {
  const found = /^\s*(\d+(?:[.,]\d+)?(?:e[+-]?\d+)?)\s*([a-zµ]*)\s*$/i.exec(text);
  if (!found) return null;
  const value = Number(found[1].replace(",", ".")), name = found[2].replace("µ", "u");
  const factor = unit === "time" || unit === "data" ? formula_units[name] : name === "" || name === "times" ? 1 : undefined;
  const fits = unit === "time" ? name.endsWith("s") : unit === "data" ? name.endsWith("B") : true;
  return factor && fits && value > 0 ? value * factor : null;
}

class Lab {
  constructor(opened) {
    this.file = `data/labs/${opened.name}.yaml`;
    this.files = Object.fromEntries(Object.entries(opened.files).map(([name, text]) => [`data/labs/${name}`, text]));
    [this.name, this.teacher, this.root] = [opened.name, opened.teacher === true, $("lab")];
    [document.title, $("h-title").textContent] = [opened.title, opened.title];
    $("brand").textContent = this.teacher ? "Orrery lab, for the teacher" : "Orrery lab";
  }
  ask(request, told) {
    return live.ask({lab: this.file, ...request}, this.files, told ?? (() => {}));
  }
  section(id, title, ...content) {
    return el("section", {id: `lab-${id}`, "aria-labelledby": `h-${id}`, tabindex: "-1"}, el("h2", {id: `h-${id}`}, title), ...content);
  }
  begin() {
    const name = el("input", {type: "text", id: "student", autocomplete: "name", maxlength: 120, value: scorm_student()});
    const start = el("button", {type: "submit"}, "Begin"), problem = el("p", {class: "alert", role: "alert", hidden: true});
    const form = el("form", {class: "bar", onsubmit: async event => {
      event.preventDefault();
      start.disabled = true;
      const said = await this.ask({command: "lab show", student: name.value, format: "json"});
      start.disabled = false;
      problem.hidden = said.code === 0;
      problem.textContent = problem_text(said.error);
      if (said.code !== 0) return;
      [name.readOnly, start.hidden] = [true, true];
      this.student = name.value;
      this.show_question(JSON.parse(said.out));
    }}, el("label", {for: "student"}, "Your name"), name, start);
    this.root.replaceChildren(this.section("who", "Who are you?", el("p", {class: "hint"}, "Each name has a machine and sizes of its own. Nothing leaves this page: what you answer goes into a file that you hand in."), form, problem));
  }
  show_question(asked) {
    this.asked = asked;
    const commit = el("button", {type: "button", id: "commit", disabled: true, onclick: () => this.commit()}, "Commit to it");
    const ready = () => commit.disabled = this.questions.some(one => one.value === null) || !this.formula_right;
    this.questions = ["predict", "choose"].filter(name => asked[name]).map(name => new LabQuestion(name, asked[name], ready));
    this.formula_right = true;
    this.committed = el("p", {class: "hint", role: "status"}, "What you commit to cannot be changed; then the engine answers.");
    this.root.append(this.section("question", "The question", ...markdown(asked.prose.Question)),
                     this.section("predict", "Before anything is shown", ...this.questions.map(one => one.root), ...(asked.formula ? [this.formula_field(ready)] : []), el("div", {class: "bar"}, commit), this.committed));
    $("lab-question").scrollIntoView();
    if (this.teacher) this.show_teacher();
  }
  formula_field(ready) {
    const {write, of, letters} = this.asked.formula, problem = el("p", {class: "hint", id: "formula-problem", role: "status"});
    const field = el("input", {type: "text", id: "formula", value: write, spellcheck: "false", autocomplete: "off", "aria-describedby": "formula-problem"});
    const read = () => {
      try {
        this.formula = formula(field.value, [of, ...Object.keys(letters)]);
        this.formula_text = field.value;
        problem.textContent = "";
      } catch (wrong) {
        this.formula = null;
        problem.textContent = `Not yet a formula: ${wrong.message}.`;
      }
      this.formula_right = this.formula !== null;
      field.setAttribute("aria-invalid", String(!this.formula_right));
      ready();
    };
    field.addEventListener("input", read);
    this.formula_input = field;
    queueMicrotask(read);
    const values = {L: time_text, B: value => `${Number((value / 1e9).toPrecision(3))} GB/s`};
    return el("fieldset", {class: "ask"}, el("legend", {}, "Your formula, the dashed line of the chart to come (not marked)"), el("label", {for: "formula"}, `${this.asked.chart.y_text} =`), field, problem,
              el("p", {class: "hint"}, `${of}: ${this.asked.chart.x_text}; ${Object.entries(letters).map(([letter, value]) => `${letter} = ${(values[letter] ?? String)(value)} (${{L: "latency", B: "bandwidth of an adapter", P: "ranks", N: "nodes"}[letter]})`).join("; ")}. Also log2, sqrt, min, max, ceil, floor, ^.`));
  }
  async commit() {
    $("commit").hidden = true;
    this.questions.forEach(one => one.fix());
    if (this.formula_input) this.formula_input.disabled = true;
    this.committed.textContent = "Committed. The engine is playing …";
    const told = text => this.committed.textContent = `Committed. ${last_line(text)}`;
    const said = await this.ask({command: "lab show", student: this.student, solution: true, format: "json"}, told);
    if (said.code !== 0) {
      this.committed.textContent = problem_text(said.error);
      this.committed.className = "alert";
      return;
    }
    this.committed.textContent = `Committed, and answered in ${time_text(said.took_ms / 1000)}.`;
    this.asked = JSON.parse(said.out);
    for (const one of this.questions) {
      one.question = this.asked[one.id];
      one.judge();
    }
    this.show_answer();
  }
  series(chart, shown, states, formula) {
    const found = [], lines = [...new Set(shown.points.map(point => point.line))];
    const label = (line, state) => [spaced(chart.lines[line] ?? line), state === "" ? (line === "" ? "simulated" : "") : chart.broken].filter(Boolean).join(", ");
    for (const state of states)
      for (const [i, line] of lines.entries())
        found.push({label: label(line, state), colour: chart_colours[i % chart_colours.length], dash: state === "" ? null : "2 4",
                    points: shown.points.filter(point => point.line === line && point.state === state).map(({x, y}) => [x, y])});
    let strangers = 0;  // measured lines that are none of the simulated ones have colours of their own
    for (const line of new Set(shown.measured.map(point => point.line))) {
      const at = lines.indexOf(line);
      if (at < 0) strangers++;
      found.push({label: `measured: ${spaced(chart.lines[line] ?? line)}`, dots: true, colour: chart_colours[(at < 0 ? lines.length + strangers - 1 : at) % chart_colours.length], points: shown.measured.filter(point => point.line === line).map(({x, y}) => [x, y])});
    }
    if (formula) {
      const xs = [...shown.points, ...shown.measured].map(point => point.x), [from, to] = [Math.min(...xs), Math.max(...xs)], {of, letters} = this.asked.formula;
      found.push({label: "your formula", everywhere: true, colour: "--ink", dash: "7 5", points: Array.from({length: 121}, (_, i) => from * (to / from) ** (i / 120)).map(x => [x, formula({...letters, [of]: x})])});
    }
    return found;
  }
  chart_of(root, chart, shown) {
    const is_bytes = chart.x_is === "data";
    return new LabChart(root, {x_text: chart.x_text, y_text: chart.y_text, x_unit: is_bytes ? lab_units.data : x => String(Number(x.toPrecision(6))),
                               y_unit: shown.unit === "s" ? time_text : value => `${lab_units.number(value)}${shown.unit ? ` ${shown.unit}` : ""}`});
  }
  marks_of(question, own) {
    if (question.unit !== "data" || this.asked.chart.x_is !== "data" || question.choices) return [];
    return [{label: "your prediction", x: own, colour: "--ink"}, {label: "the answer", x: question.answer.right, colour: "--path"}];
  }
  show_answer() {
    const {asked} = this, box = el("div", {id: "chart"}), chart = this.chart_of(box, asked.chart, asked.shown), marks = this.marks_of(asked.predict, this.questions[0].value);
    const asked_about = states => asked.predict.answer.points.filter(point => states.includes(point.state)).map(({x, y}) => [x, y]);
    const draw = states => chart.show(this.series(asked.chart, asked.shown, states, this.formula), marks, asked_about(states));
    this.root.append(this.section("answer", "What the engine says", box, asked.chart.source ? el("p", {class: "hint"}, `Measured: ${asked.chart.source}.`) : "", ...markdown(asked.prose["What happened"])));
    draw([""]);
    if (asked.steps) this.show_steps();
    if (asked.breaks) {
      const prose = el("div", {hidden: true}, ...markdown(asked.prose["Break it"]));
      const button = el("button", {type: "button", id: "break", "aria-pressed": "false", onclick: () => {
        const broken = button.getAttribute("aria-pressed") === "false";
        button.setAttribute("aria-pressed", String(broken));
        button.textContent = broken ? "Mend it" : "Break it";
        prose.hidden = false;
        draw(broken ? ["", "broken"] : [""]);
        if (broken) $("chart").scrollIntoView({block: "nearest"});
      }}, "Break it");
      this.root.append(this.section("break", "Break it", el("p", {class: "hint"}, "Shown as dotted lines in the chart above."), el("div", {class: "bar"}, button), prose));
    }
    if (asked.transfer) this.show_transfer();
    else this.show_export();
    $("lab-predict").scrollIntoView();
  }
  show_steps() {
    const root = el("section", {id: "lab-steps"}), said = el("p", {class: "hint", role: "status"});
    this.root.append(root);
    const slow = this.slow = new SlowMotion(root);
    root.append(said);
    const step = async knob => {
      said.textContent = "simulating …";
      const answered = await live.ask({command: "lab step", lab: this.file, student: this.student, ...(knob === null ? {} : {knob})}, this.files);
      said.textContent = answered.code === 0 ? "" : problem_text(answered.error);
      if (answered.code !== 0) return;
      const point = JSON.parse(answered.out).points[0];
      said.textContent = point.failure || `The whole run takes ${time_text(point.makespan_s)}.`;
      slow.show(point);
      root.hidden = false;
    };
    if (this.asked.knob) {
      const {text, values} = this.asked.knob, knob = el("select", {id: "knob", onchange: () => step(knob.value)}, values.map(value => el("option", {value}, spaced(this.asked.chart.lines[value] ?? value))));
      root.insertBefore(el("div", {class: "bar"}, el("label", {for: "knob"}, `One knob: ${text}`), knob), root.children[2]);
      knob.value = this.asked.knob.at;
    }
    step(null);
  }
  show_transfer() {
    const {asked} = this, done = el("button", {type: "button", id: "commit-transfer", disabled: true, onclick: () => {
      done.hidden = true;
      question.fix();
      question.judge();
      const box = el("div", {}), chart = this.chart_of(box, asked.chart_in_transfer, asked.shown_in_transfer);
      $("lab-transfer").append(box);
      chart.show(this.series(asked.chart_in_transfer, asked.shown_in_transfer, [""], null), this.marks_of(asked.transfer, question.value), asked.transfer.answer.points.filter(point => point.state === "").map(({x, y}) => [x, y]));
      this.show_export();
    }}, "Commit to it");
    const question = this.transfer = new LabQuestion("transfer", asked.transfer, () => done.disabled = question.value === null);
    this.root.append(this.section("transfer", "Somewhere else", ...markdown(asked.prose.Transfer), question.root, el("div", {class: "bar"}, done)));
  }
  show_export() {
    const all = [...this.questions, ...(this.transfer ? [this.transfer] : [])];
    const points = all.reduce((sum, one) => sum + one.credit * one.question.points, 0), of = all.reduce((sum, one) => sum + one.question.points, 0);
    const said = el("p", {class: "hint", role: "status"}), text_of = one => one.value === null ? undefined : String(one.value);
    const write = el("button", {type: "button", id: "export", onclick: async () => {
      said.textContent = "writing …";
      const answered = await this.ask({command: "lab take", student: this.student, predict: text_of(this.questions[0]), choose: this.questions[1] && text_of(this.questions[1]),
                                       transfer: this.transfer && text_of(this.transfer), formula: this.formula_text});
      said.textContent = answered.code === 0 ? "Saved. Hand this file in." : problem_text(answered.error);
      if (answered.code !== 0) return;
      this.result = answered.out;
      save(`${this.name}-${this.student.trim().replace(/[^\p{L}\p{N}]+/gu, "-")}.json`, answered.out);
      scorm_finished(points, of);
    }}, "Save the result");
    this.root.append(this.section("export", "What you take away", el("p", {}, el("b", {}, `${Number(points.toPrecision(3))} of ${of} points`), ", if what you hand in plays again as it did here."),
                                  el("div", {class: "bar"}, write), said));
  }
  async show_teacher() {
    const box = el("div", {}, el("p", {class: "hint"}, "The engine is playing …"));
    this.root.append(this.section("teacher", "For the teacher", box));
    const said = await engine.lane().ask({command: "lab show", lab: this.file, student: this.student, solution: true, format: "json"}, this.files);
    if (said.code !== 0) return box.replaceChildren(el("p", {class: "alert"}, problem_text(said.error)));
    const asked = JSON.parse(said.out), rows = ["predict", "choose", "transfer"].filter(name => asked[name]);
    const answers = rows.flatMap(name => [el("dt", {}, ...inline_markdown(asked[name].text)), el("dd", {}, el("b", {}, asked[name].answer.text),
        ...asked[name].answer.mistakes.map(one => el("p", {class: "hint"}, `${one.value_text} by mistake: ${one.text}`)))]);
    const notes = ["Solution", "Common mistakes"].filter(name => asked.prose[name]).flatMap(name => [el("h3", {}, name), ...markdown(asked.prose[name])]);
    box.replaceChildren(el("h3", {}, `Answers for ${this.student}`), el("dl", {}, answers), ...notes);
  }
}

let the_lab = null;
async function begin_lab(opened) {
  document.body.classList.add("is-lab");
  engine = await Engine.load();
  live = engine.lane();
  the_lab = new Lab(opened);
  the_lab.begin();
}
