// What drivers of browsers share: waiting for an expression to hold, and a person's keys and pointer as actions of W3C WebDriver.

export const until_of = run => async (expression, seconds = 60) => {
  const end = performance.now() + 1000 * seconds;
  while (!(await run(expression).catch(() => false)))
    if (performance.now() > end) throw new Error(`after ${seconds} s not yet: ${expression}`);
    else await new Promise(done => setTimeout(done, 30));
};

const keys = {Tab: "\uE004", Enter: "\uE006", ArrowLeft: "\uE012", ArrowRight: "\uE014"};
export function by_actions(act) {
  const pressed = letters => act([{type: "key", id: "keys", actions: letters.flatMap(value => [{type: "keyDown", value}, {type: "keyUp", value}])}]);
  return {
    key: key => pressed([keys[key] ?? key]),
    type: text => pressed([...text]),
    click: (x, y) => act([{type: "pointer", id: "mouse", actions: [{type: "pointerMove", x: Math.round(x), y: Math.round(y)}, {type: "pointerDown", button: 0}, {type: "pointerUp", button: 0}]}])
  };
}
