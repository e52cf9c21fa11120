import { showFields } from '#adapters/http/v1/shown-fields.ts';
import { recordedUnitOfWork } from '#application/events/recorded-unit-of-work.ts';
import { openStore } from '#bootstrap/composition/ports/open-store.ts';
import { readConfig } from '#bootstrap/config/config.ts';
import { Product } from '#domain/product.ts';
import { openDatabase } from '../lab/databases.ts';
import { Connection } from '../lab/load/connection.ts';
import { machineClock, newId } from '../support/machine.ts';
import { productOf } from '../support/test-databases.ts';
import { until } from '../support/until.ts';
import { serve, token, usualKinds } from './production.ts';
import type { Conditions, Finding, Trial } from './trial.ts';
import { createEndpoint, webhookSettings } from './webhooks/endpoint.ts';
import { Receiver } from './webhooks/receiver.ts';

/** What one process is to do in a second, and what is too far from it on any machine. */
const aims = {
  read: { aim: 20_000, least: 7_000 },
  deliver: { aim: 1_000, least: 300 },
} as const;

const pageSize = 100;

/** How many requests for pages are under way at once. */
const readers = 4;

/** Measures how fast the feed is read, and webhooks are delivered. */
export const events: Trial = {
  name: 'events',
  description: `reads the feed in pages of ${pageSize} (aims at ${aims.read.aim} events a second), and delivers webhooks to a receiver on this machine (${aims.deliver.aim})`,
  run: async ({ isShort, log }) => {
    const findings: Finding[] = [];
    for (const kind of usualKinds) {
      await using cleanUp = new AsyncDisposableStack();
      const name = productOf(kind);
      const { url } = await openDatabase(kind, { cleanUp });
      const { port } = await serve({ cleanUp }, url, webhookSettings);
      const add = await writer({ cleanUp }, url);
      const count = isShort ? 10_000 : 100_000;
      await add(count);
      const note = (rate: number, of: keyof typeof aims, expected: string): void => {
        const { least } = aims[of];
        const seen = `${Math.round(rate)} a second`;
        log(`${name}: ${expected}: ${seen}`);
        const held = rate >= least;
        findings.push({ expected: `${name}: ${expected}, at least ${least}`, seen, held, isTimed: true });
      };
      note(await read(port, count), 'read', 'events are read in pages');
      const total = isShort ? 1_000 : 10_000;
      const rate = await deliver({ cleanUp }, port, total, () => add(total));
      note(rate, 'deliver', 'webhooks are delivered');
    }
    return findings;
  },
};

/** @returns adds so many products, and as many events */
const writer = async ({ cleanUp }: Pick<Conditions, 'cleanUp'>, url: string) => {
  const store = await openStore(readConfig({ DATABASE_URL: url }).database);
  cleanUp.defer(() => store.close());
  const unitOfWork = recordedUnitOfWork(store.unitOfWork, {
    ...{ clock: machineClock, showFields, causeKind: 'command' },
  });
  const details = { ...Product.defaults, name: 'Tea', price: { amount: 350, currency: 'EUR' } };
  return async (count: number): Promise<void> => {
    const { last } = await unitOfWork.read(({ events: feed }) => feed.feed());
    for (let left = count; left > 0; left -= 500) {
      const at = machineClock.now();
      const length = Math.min(left, 500);
      const all = Array.from({ length }, () => Product.create(newId(), details, at));
      await unitOfWork.run(({ products }) => products.addAll(all));
    }
    // On PostgreSQL the server numbers them.
    await until(
      () => unitOfWork.read(({ events: feed }) => feed.feed()),
      (feed) => feed.last >= last + count,
      60_000,
    );
  };
};

/** Walks the feed from its begin, with several readers at once. @returns events a second, of all readers together */
const read = async (port: number, count: number): Promise<number> => {
  const begun = performance.now();
  const counts = await Promise.all(Array.from({ length: readers }, () => walk(port, count)));
  const seconds = (performance.now() - begun) / 1000;
  return counts.reduce((sum, each) => sum + each, 0) / seconds;
};

const resumeCursor = /"resume_cursor":"([^"]+)"/;
const sequenceOf = /"sequence":/g;

const walk = async (port: number, count: number): Promise<number> => {
  const connection = await Connection.open(port);
  let seen = 0;
  for (let cursor: string | undefined; seen < count; ) {
    const path = `/v1/events?limit=${pageSize}${cursor === undefined ? '' : `&cursor=${cursor}`}`;
    const text = await connection.read(path, token);
    const found = text.match(sequenceOf)?.length ?? 0;
    if (found === 0) throw new Error(`The feed ends behind ${seen} events.`);
    seen += found;
    cursor = resumeCursor.exec(text)?.[1];
  }
  connection.destroy();
  return seen;
};

/** Registers the receiver as an endpoint. @returns deliveries a second, from the first that arrives */
const deliver = async (
  { cleanUp }: Pick<Conditions, 'cleanUp'>,
  port: number,
  count: number,
  add: () => Promise<void>,
): Promise<number> => {
  const receiver = await Receiver.start({ cleanUp });
  await createEndpoint(port, { url: receiver.url, event_types: ['product.*'] });
  await add();
  const [begun, done] = [performance.now(), receiver.events];
  await until(
    async () => receiver.events,
    (events) => events >= count,
    120_000,
  );
  return (count - done) / ((performance.now() - begun) / 1000);
};
