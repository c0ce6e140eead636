/** The standard normal distribution function, by the error function's continued fraction and series. */
export function normalCumulative(z: number): number {
  const x = Math.abs(z) / Math.SQRT2;
  const tail = x < 2 ? 1 - erfSeries(x) : erfcFraction(x);
  return z > 0 ? 1 - tail / 2 : tail / 2;
}

/** The standard normal quantile, by bisection of the distribution function: slow, plain and exact to 1e-12. */
export function normalQuantile(share: number): number {
  if (share <= 0) return Number.NEGATIVE_INFINITY;
  if (share >= 1) return Number.POSITIVE_INFINITY;
  let low = -40;
  let high = 40;
  while (high - low > 1e-12) {
    const middle = (low + high) / 2;
    if (normalCumulative(middle) < share) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

function erfSeries(x: number): number {
  let term = x;
  let sum = x;
  for (let n = 1; Math.abs(term) > 1e-17 * Math.abs(sum) && n < 200; n += 1) {
    term *= (-x * x) / n;
    sum += term / (2 * n + 1);
  }
  return (2 / Math.sqrt(Math.PI)) * sum;
}

function erfcFraction(x: number): number {
  let fraction = 0;
  for (let n = 60; n >= 1; n -= 1) fraction = n / 2 / (x + fraction);
  return Math.exp(-x * x) / (Math.sqrt(Math.PI) * (x + fraction));
}
