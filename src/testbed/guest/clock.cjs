'use strict';
// Moves the clock of this process ahead by FEATUREARC_CLOCK_MS. Covers Date; not monotonic clocks, timers or file times.
const shiftMs = Number(process.env.FEATUREARC_CLOCK_MS ?? 0);
if (shiftMs > 0) {
  const RealDate = Date;
  const now = RealDate.now.bind(RealDate);
  const shifted = () => now() + shiftMs;
  const MovedDate = new Proxy(RealDate, {
    apply: () => new RealDate(shifted()).toString(),
    construct: (target, given, newTarget) =>
      Reflect.construct(target, given.length === 0 ? [shifted()] : given, newTarget),
    get: (target, key, receiver) =>
      key === 'now' && target.now === originalNow ? shifted : Reflect.get(target, key, receiver),
  });
  const originalNow = RealDate.now;
  RealDate.prototype.constructor = MovedDate;
  globalThis.Date = MovedDate;
}
