// Round values on an axis, about `wanted` of them: steps of 1, 2 or 5 times a power of ten. On a logarithmic axis powers of `base` (2 where
// the numbers are bytes); over few decades 2 and 5 times them as well, and round steps where even that leaves fewer than three.
// The rule of axis_ticks in sim/show/charts/svg.hpp; tests/unit/show/ticks.json holds both.
function ticks(least, most, log, wanted = 5, base = 10) {
  if (!(most > least)) return [least];
  if (log) {
    const first = Math.log(least) / Math.log(base), powers = Math.log(most / least) / Math.log(base);
    const at = (digits, stride) => {
      const out = [];
      for (let e = digits.length > 1 ? Math.floor(first) : Math.ceil(first - 1e-9); base ** e <= most * 1.0001; e += stride)
        for (const digit of digits)
          if (digit * base ** e >= least * 0.9999 && digit * base ** e <= most * 1.0001) out.push(Number((digit * base ** e).toPrecision(12)));
      return out;
    };
    const sparse = at([1], Math.max(1, Math.ceil(powers / Math.max(wanted, base === 10 ? 6 : 1) - 1e-9)));
    if (base !== 10 ? sparse.length > 1 : powers >= 2.2 && sparse.length > 2) return sparse;
    const dense = base === 10 ? at([1, 2, 5], 1) : sparse;
    if (dense.length > 2) return dense;
  }
  const out = [], raw = (most - least) / wanted, power = 10 ** Math.floor(Math.log10(raw));
  const step = power * [1, 2, 5, 10].find(digit => raw <= digit * power * 1.0001);
  for (let k = Math.ceil(least / step - 1e-9); k * step <= most + step * 1e-9; k++) out.push(Number((k * step).toPrecision(12)));
  return out;
}
