import { expect } from 'chai';
import { openMemory } from '#adapters/persistence/memory/open.ts';
import type { Reading, UnitOfWork } from '#application/ports/unit-of-work.ts';
import { followFeed } from '#bootstrap/cli/listen/follow-feed.ts';
import { anEvent, appendTo } from '../../contracts/events-support.ts';
import { until } from '../../support/until.ts';

describe('Who follows the feed on the terminal', () => {
  const stopping = new AbortController();
  after(() => stopping.abort());

  it('is told that the database was set back, and sees what happens from then on', async () => {
    let { unitOfWork } = await openMemory();
    const id = (await unitOfWork.read(({ events }) => events.feed())).id;
    await appendTo({ unitOfWork }, [anEvent(), anEvent(), anEvent()]);
    const lines: string[] = [];
    /** The store as it is now. A database that was set back keeps the id of its feed. */
    const read: UnitOfWork['read'] = <T>(reading: Reading<T>): Promise<T> =>
      unitOfWork.read((all) =>
        reading({
          ...all,
          events: {
            ...all.events,
            page: (...given) => all.events.page(...given),
            feed: async () => ({ ...(await all.events.feed()), id }),
          },
        }),
      );
    const events = await followFeed({
      ...{ unitOfWork: { read }, filter: {}, signal: stopping.signal },
      notify: async (line) => void lines.push(line),
    });
    await appendTo({ unitOfWork }, [anEvent()]);
    expect((await events.next()).value).to.have.property('sequence', 4);
    ({ unitOfWork } = await openMemory());
    await appendTo({ unitOfWork }, [anEvent()]);
    const next = events.next();
    await until(
      async () => lines.length,
      (length) => length > 0,
    );
    expect(lines).to.deep.equal([
      'The database was restored or set back, so that events may be missing here.',
    ]);
    await appendTo({ unitOfWork }, [anEvent()]);
    expect((await next).value).to.have.property('sequence', 2);
  });
});
