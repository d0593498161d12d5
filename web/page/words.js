// The report's list of words (sim/show/page/html/glossary.js) behind those of this page: a tip that a pointer, the keyboard
// and a finger reach.
function show_tip(x, y, title, [[meaning]]) {
  const tip = $("tip");
  tip.replaceChildren(el("b", {}, title), meaning);
  tip.hidden = false;
  const box = tip.getBoundingClientRect();
  tip.style.left = `${Math.max(6, Math.min(x + 12, innerWidth - box.width - 6))}px`;
  tip.style.top = `${y + 16 + box.height > innerHeight ? Math.max(6, y - box.height - 10) : y + 16}px`;
}
function hide_tip() {
  $("tip").hidden = true;
}
