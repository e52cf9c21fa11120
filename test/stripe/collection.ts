import { randomBytes } from 'node:crypto';
import type { Clock } from './clock.ts';
import { missing } from './response.ts';

interface Identified {
  readonly id: string;
  /** Milliseconds. */
  readonly createdAt: number;
}

export const randomText = (): string => randomBytes(12).toString('hex');

/** Objects of one kind, in the order in which they were created. */
export class Collection<T extends Identified> {
  readonly rows: T[] = [];
  readonly #byId = new Map<string, T>();
  readonly #name: string;
  readonly #prefix: string;
  readonly #clock: Clock;

  /** @param prefix by which Stripe's ids tell what they are of: `pi`, `ch` */
  constructor(name: string, prefix: string, clock: Clock) {
    this.#name = name;
    this.#prefix = prefix;
    this.#clock = clock;
  }

  add(details: Omit<T, 'id' | 'createdAt'>): T {
    const id = `${this.#prefix}_${randomText()}`;
    const row = { ...details, id, createdAt: this.#clock.now() } as T;
    this.rows.push(row);
    this.#byId.set(id, row);
    return row;
  }

  remove(row: T): void {
    this.rows.splice(this.rows.indexOf(row), 1);
    this.#byId.delete(row.id);
  }

  get(id: string): T | undefined {
    return this.#byId.get(id);
  }

  /** @throws StripeError 404 */
  require(id: string): T {
    const row = this.get(id);
    if (row === undefined) throw missing(this.#name, id);
    return row;
  }
}
