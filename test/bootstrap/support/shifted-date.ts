/**
 * Sets the clock of a process 25 hours ahead. Preload it: `node --import shifted-date.ts`
 */
const RealDate = Date;
const shift = 25 * 3_600_000;

globalThis.Date = new Proxy(RealDate, {
  construct: (_, given) => Reflect.construct(RealDate, given.length === 0 ? [Date.now()] : given),
  apply: () => new Date().toString(),
  get: (_, name) => (name === 'now' ? () => RealDate.now() + shift : Reflect.get(RealDate, name)),
});
