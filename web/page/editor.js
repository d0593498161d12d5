// A text with numbered lines; the line that the program's message names is marked.
function line_of(message, file) {
  const found = message.match(new RegExp(`${file.replace(/[.]/g, "[.]")}:(\\d+)`));
  return found ? Number(found[1]) : null;
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
