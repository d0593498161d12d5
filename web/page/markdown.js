// The Markdown that labs are written in, as nodes: paragraphs, lists, **strong**, *stressed*, `code`, x^2^, log~2~.
// "64KiB", as files have it, as people write it.
const spaced = text => text.replace(/(\d)((?:[KMG]i?)?B|[nuµm]?s)\b/g, "$1\u00a0$2");
function inline_markdown(text) {
  return text.split(/(\*\*[^*]+\*\*|\*[^*]+\*|`[^`]+`|\^[^^\s]+\^|~[^~\s]+~)/).map(part => {
    const inner = part.slice(1, -1);
    if (/^\*\*.+\*\*$/.test(part)) return el("strong", {}, part.slice(2, -2));
    if (/^\*.+\*$/.test(part)) return el("em", {}, ...inline_markdown(inner));
    if (/^`.+`$/.test(part)) return el("code", {}, inner);
    if (/^\^.+\^$/.test(part)) return el("sup", {}, inner);
    if (/^~.+~$/.test(part)) return el("sub", {}, inner);
    return spaced(part);
  });
}
function markdown(text) {
  return (text ?? "").trim().split(/\n\s*\n/).filter(Boolean).map(block => {
    if (!/^- /.test(block)) return el("p", {}, ...inline_markdown(block.replace(/\s*\n\s*/g, " ")));
    return el("ul", {}, block.split(/\n(?=- )/).map(item => el("li", {}, ...inline_markdown(item.slice(2).replace(/\s*\n\s*/g, " ")))));
  });
}
