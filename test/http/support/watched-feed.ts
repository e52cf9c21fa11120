import { expect } from 'chai';
import type { Client, Json } from './client.ts';

/** The lists of all that events tell of, as administrators see them. */
const lists = {
  product: '/v1/products',
  user: '/v1/users',
  order: '/v1/orders',
  payment: '/v1/payments',
  refund: '/v1/refunds',
  stock_change: '/v1/stock-changes',
  dispute: '/v1/disputes',
  review: '/v1/reviews',
  api_key: '/v1/api-keys',
};

type State = ReadonlyMap<string, Json>;

const nameOf = (type: string, id: string): string => `${type} ${id}`;

/** Compares the feed with what really changed, as GET shows it before and after. */
export class WatchedFeed {
  readonly #reader: Client;

  constructor(reader: Client) {
    this.#reader = reader;
  }

  /**
   * @param types the types of the events that tell of the change, in their order
   * @param silent the versions of which no event tells: `payment 1`
   */
  async expectTold(change: () => Promise<unknown>, types: readonly string[], silent: readonly string[] = []) {
    const before = await this.#state();
    const { body } = await this.#reader.get('/v1/events?start=latest');
    await change();
    const events: Json[] = (await this.#reader.get(body.links.resume)).body.data;
    const after = await this.#state();
    expect(events.map(({ type }) => type)).to.deep.equal(types);
    expect(this.#untold(before, after, events)).to.deep.equal([...silent].sort());
    for (const event of events) await this.#requireTrue(event, before, after);
    return events;
  }

  async #state(): Promise<State> {
    const all = await Promise.all(
      Object.entries(lists).map(async ([type, path]) => {
        const { body } = await this.#reader.get(`${path}?limit=100&sort=-id`);
        return body.data.map((one: Json) => [nameOf(type, one.id), one] as const);
      }),
    );
    return new Map(all.flat());
  }

  /** The versions without an event. @throws when one has two, or an event tells of a version that there was not */
  #untold(before: State, after: State, events: readonly Json[]): readonly string[] {
    const told = events.map(({ subject: { type, id, version } }) => `${nameOf(type, id)} ${version}`);
    expect(new Set(told).size, `${told}`).to.equal(told.length);
    const reached = [...new Set([...before.keys(), ...after.keys()])].flatMap((name) => {
      const from = before.get(name)?.version ?? 0;
      const to = after.get(name)?.version ?? from + 1;
      return isUseOfKey(before.get(name), after.get(name))
        ? []
        : Array.from({ length: to - from }, (_one, index) => `${name} ${from + index + 1}`);
    });
    expect(reached).to.include.members(told);
    return reached
      .filter((version) => !told.includes(version))
      .map((version) => version.replace(/ \S+/, ''))
      .sort();
  }

  async #requireTrue({ type, subject, changed, data: given }: Json, before: State, after: State) {
    const name = nameOf(subject.type, subject.id);
    const [old, now] = [before.get(name), after.get(name)];
    const { items, ...data } = given;
    if (now === undefined) {
      // An erasure replaces personal data of events that exist, at any time after it has removed the key.
      const isErased = data.name === 'Erased';
      expect(isErased ? { ...data, name: old.name } : data, type).to.deep.equal(old);
      expect(changed, type).to.deep.equal([]);
      return;
    }
    expect(data.version, type).to.equal(subject.version);
    const hasItems = type === 'order.created' || (subject.type === 'order' && changed.includes('items'));
    expect(items !== undefined, `items in ${type}`).to.equal(hasItems);
    if (subject.version !== now.version) return;
    expect(data, type).to.deep.equal(now);
    if (hasItems)
      expect(items).to.deep.equal((await this.#reader.get(`/v1/orders/${subject.id}/items`)).body.data);
    if (old === undefined) expect(changed, type).to.deep.equal(type.endsWith('.created') ? [] : changed);
    else if (old.version + 1 === now.version)
      expect(changed.filter((field: string) => field !== 'items').sort(), type).to.deep.equal(
        differences(old, now),
      );
  }
}

const differences = (one: Json, other: Json): readonly string[] =>
  Object.keys(other)
    .filter((field) => JSON.stringify(one[field]) !== JSON.stringify(other[field]))
    .sort();

/** The use of a key changes its version, and no event tells of it. */
const isUseOfKey = (before: Json, after: Json): boolean =>
  before !== undefined && after !== undefined && differences(before, after).includes('last_used_at');
