// What the words of the page mean, in one list: behind each word where it first stands in a section, and below as a whole.
const glossary = [
  ["point", "One combination of settings: a program, its size, a layout, a network. Each point is one run."],
  ["rank", "One process of the program; it is placed on some cores of a node."],
  ["phase", "A part of the program by its name, such as communication. Its time is the longest over the ranks, each from its own start, summed over the iterations."],
  ["makespan", "From the start of the first rank to the end of the last: the time of the whole run."],
  ["simulated", "Worked out by playing the program's messages and computations on the described machine."],
  ["predicted", "What the formula of a model says."],
  ["measured", "Taken from a run on a real machine."],
  ["published", "As a paper prints it."],
  ["mu", "Proportional error: the larger of two times over the smaller. 1 is perfect, 2 is wrong by a factor of two in either direction."],
  ["relative error", "The difference of two times over the one that is taken for true."],
  ["fitted", "The model's parameters were chosen to match these very times: its error says nothing about other runs."],
  ["critical path", "The chain of causes that ends last, from the end back to the start without a gap. Only what lies on it makes the run longer."],
  ["late ranks", "Ranks that still compute while others wait for them in the phase."],
  ["saturate", "To use all that a resource can carry: the transfers on it are as slow as their share of it."],
  ["saturated", "Fully used: the transfers on such a resource are as slow as their share of it."],
  ["NIC", "Network adapter of a node; outgoing is what it sends, incoming what it receives."],
  ["copying cores", "Cores that copy messages in memory, within a node or beside a transfer."],
  ["the rate limit of one message", "A single message cannot use the whole of its links: its protocol or its core is slower than they are."],
  ["latency", "L: what the wire adds to each message, whatever its length."],
  ["send overhead", "o: how long a processor is busy with sending a message, whatever its length."],
  ["receive overhead", "o: how long a processor is busy with receiving a message, whatever its length."],
  ["overhead", "o: how long a processor is busy with sending or receiving a message."],
  ["gap", "g: least time between two messages of a rank; G: the same for each byte, the inverse of a bandwidth."],
  ["eager", "A short message leaves at once and is copied where it arrives, whether its receiver is ready or not."],
  ["rendezvous", "A long message waits until its receiver is ready: a handshake goes back and forth first."],
  ["rendezvous handshakes", "Before a long message sender and receiver agree; each handshake costs a way there and back."],
  ["unexpected", "A message that arrives before its receive was posted: it is copied once more."],
  ["busy", "Share of the time with at least one transfer on a resource."],
  ["used", "What a resource carried, over what it could have carried in the time."],
  ["bus bandwidth", "What the links of each rank carry if the algorithm of a collective wastes nothing."],
  ["barrier", "A point that no rank passes before all have come."],
  ["alpha, beta", "Hockney's latency and time per byte: T = alpha + beta m for a message of m bytes."],
  ["n || T^c(m)", "tau-Lop: n transmissions of m bytes at the same time through channel c: 0 is the memory of a node, 1 the network. X in place of T: what of it is not overhead."],
  ["A1, A2, A3", "tau-Lop's assumptions: transmissions that follow each other cost one of their summed size; those of one channel progress together until the shortest ends; different channels do not slow each other down."]
];

const plural_of = term => `${term}${/[a-z]$/.test(term) && !term.endsWith("s") ? "s?" : ""}`;
const found_terms = glossary.filter(([term]) => !/[|,]/.test(term)).sort((a, b) => b[0].length - a[0].length);
const term_pattern = new RegExp(`(?<![\\w-])(?:${found_terms.map(([term]) => `(${plural_of(term)})`).join("|")})(?![\\w=-]| at )`, "i");
const heads_only = ["busy", "used"];
const name_like = ["point", "rank", "phase", "barrier"];  // in answers they are names of settings and programs

function explained_word(text, [term, meaning]) {
  const show = (x, y) => show_tip(x, y, term, [[meaning]]);
  return el("dfn", {
    tabindex: "0",
    onpointerenter: event => show(event.clientX, event.clientY),
    onpointerleave: hide_tip,
    onfocus: event => {
      const box = event.target.getBoundingClientRect();
      show(box.left, box.bottom);
    },
    onblur: hide_tip,
    onkeydown: event => {
      if (event.key === "Escape") hide_tip();
    }
  }, text);
}

// Puts the meaning behind the first of each word below `root`, in sentences and in heads and causes of tables.
function explain_words(root, told = new Set()) {
  for (const place of root.querySelectorAll("p.hint, .answer, .others li, dl.answers dt, dl.answers dd, th, td.cause, .key.cause")) {
    if (place.querySelector("dfn")) continue;
    const walker = document.createTreeWalker(place, NodeFilter.SHOW_TEXT), texts = [];
    while (walker.nextNode()) texts.push(walker.currentNode);
    const not_here = place.matches("th") ? name_like : place.matches("p.hint") ? heads_only : [...name_like, ...heads_only];
    const known = new Set([...told, ...not_here]);
    texts.filter(text => !text.parentNode.closest("a, button")).forEach(text => explain_text(text, known));
    known.forEach(term => not_here.includes(term) || told.add(term));
  }
}
function explain_text(text, told) {
  let from = 0;
  while (text && from < text.data.length) {
    const match = term_pattern.exec(text.data.slice(from));
    if (!match) return;
    const entry = found_terms[match.slice(1).findIndex(group => group !== undefined)], at = from + match.index;
    from = at + match[0].length;
    if (told.has(entry[0])) continue;
    told.add(entry[0]);
    const word = text.splitText(at), rest = word.splitText(match[0].length);
    word.replaceWith(explained_word(match[0], entry));
    [text, from] = [rest, 0];
  }
}

function glossary_section() {
  $("glossary").append(el("dl", {class: "words"}, glossary.map(([term, meaning]) => [el("dt", {}, term), el("dd", {}, meaning)]).flat()));
}
