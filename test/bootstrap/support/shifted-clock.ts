/**
 * Sets the clock of a process ahead, as JavaScript and SQLite read it. The monotonic clock is left alone. Preload it:
 * `node --import shifted-clock.ts?milliseconds=60000`
 */
import BetterSqlite3, { type Database } from 'better-sqlite3';

const RealDate = Date;
const shift = Number(new URL(import.meta.url).searchParams.get('milliseconds'));

globalThis.Date = new Proxy(RealDate, {
  construct: (_, given) => Reflect.construct(RealDate, given.length === 0 ? [Date.now()] : given),
  apply: () => new Date().toString(),
  get: (_, name) => (name === 'now' ? () => RealDate.now() + shift : Reflect.get(RealDate, name)),
});

/** SQLite asks the system itself, so each connection gets a function in place of its own. */
const { prepare } = BetterSqlite3.prototype;
const shifted = new WeakSet<Database>();
BetterSqlite3.prototype.prepare = function (this: Database, text: string) {
  if (!shifted.has(this)) {
    shifted.add(this);
    this.function('unixepoch', { varargs: true }, () => Date.now() / 1_000);
  }
  return prepare.call(this, text);
} as typeof prepare;
