import { expect } from 'chai';
import { openMemory } from '#adapters/persistence/memory/open.ts';
import { ApplicationError } from '#application/errors.ts';
import type { Reading, UnitOfWork } from '#application/ports/unit-of-work.ts';
import { followFeed } from '#bootstrap/cli/listen/follow-feed.ts';
import { anEvent, appendTo } from '../../contracts/events-support.ts';
import { SimulatedTime } from '../../support/simulated-time.ts';

describe('Who follows the feed on the terminal', () => {
  const stopping = new AbortController();
  let time: SimulatedTime;
  before(() => {
    time = new SimulatedTime();
  });
  after(() => {
    stopping.abort();
    time.end();
  });

  /** Lets one interval pass between two reads of the feed. */
  const nextRead = () => time.pass(200, 100);

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
    await nextRead();
    expect(lines).to.deep.equal([
      'The database was restored or set back, so that events may be missing here.',
    ]);
    await appendTo({ unitOfWork }, [anEvent()]);
    await nextRead();
    expect((await next).value).to.have.property('sequence', 2);
  });

  it('is told once that the database is unavailable, and sees a second after its return what has come', async () => {
    const { unitOfWork } = await openMemory();
    let isAvailable = true;
    const lines: string[] = [];
    const read: UnitOfWork['read'] = async (reading) => {
      if (isAvailable) return unitOfWork.read(reading);
      throw new ApplicationError('unavailable', 'The database is unavailable.');
    };
    const events = await followFeed({
      ...{ unitOfWork: { read }, filter: {}, signal: stopping.signal },
      notify: async (line) => void lines.push(line),
    });
    isAvailable = false;
    const seen: number[] = [];
    void events.next().then(({ value }) => seen.push(value.sequence));
    await time.pass(2_500, 100);
    expect(lines).to.deep.equal(['The database is unavailable. The events that come meanwhile follow.']);
    isAvailable = true;
    await appendTo({ unitOfWork }, [anEvent()]);
    await time.pass(400, 100);
    expect(seen).to.deep.equal([]);
    await time.pass(200, 100);
    expect(seen).to.deep.equal([1]);
  });
});
