/**
 * Makes a process take it to be 25 hours later than it is. Loaded before the program is: `node --import shifted-date.ts`
 */
const RealDate = Date;
const shift = 25 * 3_600_000;

globalThis.Date = new Proxy(RealDate, {
  construct: (_, given) => Reflect.construct(RealDate, given.length === 0 ? [Date.now()] : given),
  apply: () => new Date().toString(),
  get: (_, name) => (name === 'now' ? () => RealDate.now() + shift : Reflect.get(RealDate, name)),
});
