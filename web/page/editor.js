// A text with numbered lines; the line that the program refuses is marked. `refused` is its refusal as JSON.
function line_of(refused, file) {
  if (refused === '') return null;
  const {file: named, line} = JSON.parse(refused);
  return named !== null && named.endsWith(file) ? line : null;
}

function editor(area, lines, problem) {
  let wrong = null;
  const draw = () => {
    const count = area.value.split("\n").length;
    lines.replaceChildren(...Array.from({length: count}, (_, i) => i + 1 === wrong ? el("b", {}, `${i + 1}`) : `${i + 1}\n`));
    lines.scrollTop = area.scrollTop;
  };
  area.addEventListener("scroll", () => lines.scrollTop = area.scrollTop);
  return {
    draw,
    show(message, line, right) {
      wrong = line;
      problem.textContent = message;
      problem.classList.toggle("right", right);
      area.setAttribute("aria-invalid", String(!right));
      draw();
    }
  };
}
