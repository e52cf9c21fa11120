import { expect } from 'chai';
import { openMemory } from '#adapters/persistence/memory/open.ts';
import { openSqlite } from '#adapters/persistence/sqlite/open.ts';
import type { StoreUnitOfWork } from '#application/ports/unit-of-work.ts';
import { positionBefore } from '#bootstrap/cli/commands/webhooks.ts';
import { Instant } from '#domain/instant.ts';
import { EndpointPosition } from '#domain/webhooks/endpoint-position.ts';
import { anEvent, appendTo } from '../../contracts/events-support.ts';
import { aWebhook, noon } from '../../contracts/samples.ts';
import { Random } from '../../support/random.ts';
import { testSeed } from '../../support/seed.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { runHere } from '../support/portico.ts';

const minutes = 60_000;
const hours = 60 * minutes;
const silent = { update: () => undefined };

const atNoonPlus = (milliseconds: number): Instant => Instant.plus(noon, milliseconds);
const eventsAt = (times: readonly number[]) => times.map((time) => anEvent({ timestamp: atNoonPlus(time) }));
const repeated = (count: number, milliseconds: number): number[] => new Array(count).fill(milliseconds);

describe('portico webhooks replay --since', () => {
  const place = temporaryFolder();

  it('begins with the first event of then or later, though a clock was ahead meanwhile', async () => {
    const file = place('portico.db');
    const store = await openSqlite({ file });
    const times = [0, 0, ...repeated(10, 25 * hours), ...repeated(30, minutes)];
    await appendTo(store, eventsAt(times));
    const { webhookEndpoint: endpoint } = aWebhook();
    await store.unitOfWork.run(async ({ webhookEndpoints, endpointPositions }) => {
      await webhookEndpoints.add(endpoint);
      await endpointPositions.add(EndpointPosition.begin(endpoint.id, times.length, noon));
    });
    await store.close();
    for (const [since, sequence] of [
      [26 * hours, 43],
      [25 * hours, 3],
      [25 * hours - 1, 3],
      [1, 3],
      [0, 1],
      [-hours, 1],
    ] as const) {
      const words = ['webhooks', 'replay', endpoint.id, '--since', atNoonPlus(since)];
      const { code, errors } = await runHere(words, { DATABASE_URL: `sqlite:${file}` });
      // None begins later than the one before: a replay ahead of the endpoint is rejected.
      expect([code, errors]).to.deep.equal([
        0,
        `The endpoint ${endpoint.id} receives its events from sequence ${sequence} on.\n`,
      ]);
    }
  });

  const withEvents = async (times: readonly number[]): Promise<StoreUnitOfWork> => {
    const { unitOfWork } = await openMemory();
    await appendTo({ unitOfWork }, eventsAt(times));
    return unitOfWork;
  };

  it('finds that event in any disorder of times, over several pages', async () => {
    const random = new Random(testSeed());
    for (const range of [3, 1_000, 1_000_000]) {
      const times = Array.from({ length: 1_203 }, (_, index) => index + random.below(range));
      const unitOfWork = await withEvents(times);
      const latest = Math.max(...times);
      for (const since of [0, 499, 500, 501, ...times.slice(-3), latest, latest + 1]) {
        const index = times.findIndex((time) => time >= since);
        const position = await positionBefore(atNoonPlus(since), { unitOfWork }, silent);
        expect(position, `${since} in ${range}`).to.equal(index < 0 ? times.length : index);
      }
    }
  });

  it('begins with the oldest event that is kept where those of then are deleted', async () => {
    const unitOfWork = await withEvents([...repeated(50, 0), ...repeated(5, hours), ...repeated(5, minutes)]);
    const find = (since: number) => positionBefore(atNoonPlus(since), { unitOfWork }, silent);
    expect(await find(-hours)).to.equal(0);
    await unitOfWork.run(({ events }) => events.deleteOlder(atNoonPlus(1), atNoonPlus(2 * hours)));
    expect([await find(-hours), await find(hours), await find(2 * hours)]).to.deep.equal([50, 50, 60]);
  });

  it('ends where all events are deleted while it reads', async () => {
    const unitOfWork = await withEvents(repeated(1_203, 0));
    let pages = 0;
    const position = await positionBefore(
      atNoonPlus(1),
      {
        unitOfWork: {
          ...unitOfWork,
          read: async (reading) => {
            const result = await unitOfWork.read(reading);
            pages += 1;
            const deleteBatch = () =>
              unitOfWork.run(({ events }) => events.deleteOlder(atNoonPlus(2), atNoonPlus(3)));
            if (pages === 2) while (await deleteBatch());
            return result;
          },
        },
      },
      silent,
    );
    expect({ position, pages }).to.deep.equal({ position: 1_203, pages: 3 });
  });

  it('shows how far it has read', async () => {
    const unitOfWork = await withEvents(repeated(1_203, 0));
    const shown: unknown[] = [];
    await positionBefore(atNoonPlus(1), { unitOfWork }, { update: (update) => shown.push(update) });
    expect(shown.at(0)).to.deep.equal({ done: 500, share: 500 / 1_203, unit: 'events' });
    expect(shown.at(-1)).to.deep.equal({ done: 1_203, share: 1, unit: 'events' });
  });
});
