// The meanings of the page's words, in one list. The page shows them at the first use of a word in a section, and as a whole below.
const glossary = [
  ["point", "One combination of settings: a program, its size, a layout, a network. Each point is one run."],
  ["rank", "One process of the program. It runs on some cores of a node."],
  ["phase", "A named part of the program, such as communication. Its time is that of the slowest rank, counted from that rank's own start and summed over the iterations."],
  ["makespan", "The time of the whole run, from the start of the first rank to the end of the last."],
  ["simulated", "Result of playing the program's messages and computations on the described machine."],
  ["predicted", "Result of a model's formula."],
  ["measured", "Taken from a run on a real machine."],
  ["published", "Printed in a paper."],
  ["mu", "Proportional error: the larger of two times divided by the smaller. 1 is perfect. 2 is wrong by a factor of two in either direction."],
  ["relative error", "The difference of two times, divided by the reference time."],
  ["fitted", "The model's parameters were chosen to match these times. So its error says nothing about other runs."],
  ["critical path", "The chain of causes that ends last. It goes from the end of the run back to its start without a gap. Only activities on it make the run longer."],
  ["late ranks", "Ranks that still compute while others wait for them in the phase."],
  ["saturate", "To use all that a resource can carry. Each transfer on it is then as slow as its share of the resource."],
  ["saturated", "Fully used. Each transfer on such a resource is as slow as its share of the resource."],
  ["NIC", "Network adapter of a node. Its outgoing side sends, its incoming side receives."],
  ["copying cores", "Cores that copy messages in memory, within a node or beside a transfer."],
  ["the rate limit of one message", "A single message cannot use its links fully, because its protocol or its core is slower than the links."],
  ["latency", "L: the time that the wire adds to each message of any length."],
  ["send overhead", "o: the time for which a processor is busy with sending a message of any length."],
  ["receive overhead", "o: the time for which a processor is busy with receiving a message of any length."],
  ["overhead", "o: the time for which a processor is busy with sending or receiving a message."],
  ["gap", "g: the least time between two messages of a rank. G: the same for each byte, the inverse of a bandwidth."],
  ["eager", "A short message leaves at once, whether its receiver is ready or not. It is copied where it arrives."],
  ["rendezvous", "A long message waits until its receiver is ready. Before it, a handshake goes back and forth."],
  ["rendezvous handshakes", "Sender and receiver agree before a long message. Each handshake costs a round trip."],
  ["unexpected", "A message that arrives before its receive was posted. It is copied once more."],
  ["busy", "Fraction of the time with at least one transfer on a resource."],
  ["used", "The amount that a resource carried, divided by the amount that it could have carried in the time."],
  ["bus bandwidth", "The bandwidth on the links of each rank if the algorithm of a collective wastes nothing."],
  ["barrier", "A point that no rank passes before all ranks have reached it."],
  ["alpha, beta", "Hockney's latency and time per byte: T = alpha + beta m for a message of m bytes."],
  ["n || T^c(m)", "tau-Lop: n simultaneous transmissions of m bytes through channel c. Channel 0 is the memory of a node, channel 1 the network. X: T without the overhead."],
  ["A1, A2, A3", "tau-Lop's assumptions. A1: consecutive transmissions cost as much as one transmission of their total size. A2: transmissions of one channel progress together until the shortest ends. A3: different channels do not slow each other down."]
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
