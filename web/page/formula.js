// A formula that a student writes, as a function of its letters: numbers (64KiB and 20us, too), + - * / ^, brackets and the
// functions below. Read here and never given to the language itself.
const formula_functions = {log2: Math.log2, sqrt: Math.sqrt, min: Math.min, max: Math.max, ceil: Math.ceil, floor: Math.floor};
const formula_units = {B: 1, KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30, ns: 1e-9, us: 1e-6, ms: 1e-3, s: 1};

// Throws an Error with words for the student.
function formula(text, letters) {
  const tokens = text.match(/\d+(?:\.\d+)?(?:e[+-]?\d+)?(?:[KMG]iB|B|[num]?s)?|[A-Za-z_]\w*|[-+*/^(),]|\S/g) ?? [];
  let at = 0;
  const next = () => tokens[at], take = token => next() === token && (at++, true);
  const need = token => {
    if (!take(token)) throw new Error(next() === undefined ? `'${token}' is missing at the end` : `'${token}' is missing before '${next()}'`);
  };
  function sum() {
    let value = product();
    for (;;) {
      const left = value;
      if (take("+")) { const right = product(); value = x => left(x) + right(x); }
      else if (take("-")) { const right = product(); value = x => left(x) - right(x); }
      else return value;
    }
  }
  function product() {
    let value = power();
    for (;;) {
      const left = value;
      if (take("*")) { const right = power(); value = x => left(x) * right(x); }
      else if (take("/")) { const right = power(); value = x => left(x) / right(x); }
      else return value;
    }
  }
  function power() {
    if (take("-")) { const value = power(); return x => -value(x); }
    const base = single();
    if (!take("^")) return base;
    const exponent = power();
    return x => base(x) ** exponent(x);
  }
  function single() {
    const token = next();
    if (token === undefined) throw new Error("something is missing at the end");
    at++;
    if (token === "(") {
      const value = sum();
      need(")");
      return value;
    }
    const number = /^(\d+(?:\.\d+)?(?:e[+-]?\d+)?)(\w+)?$/.exec(token);
    if (number) {
      const value = Number(number[1]) * (number[2] ? formula_units[number[2]] : 1);
      return () => value;
    }
    if (Object.hasOwn(formula_functions, token)) {
      need("(");
      const inner = [sum()];
      while (take(",")) inner.push(sum());
      need(")");
      return x => formula_functions[token](...inner.map(one => one(x)));
    }
    if (!letters.includes(token)) throw new Error(/^[A-Za-z]/.test(token) ? `'${token}' is none of ${letters.join(", ")}` : `'${token}' was not expected`);
    return x => x[token];
  }
  const value = sum();
  if (at < tokens.length) throw new Error(`'${next()}' was not expected`);
  return value;
}
