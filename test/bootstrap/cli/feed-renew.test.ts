import { expect } from 'chai';
import { openSqlite } from '#adapters/persistence/sqlite/open.ts';
import { anEvent, appendTo, visibleEvents } from '../../contracts/events-support.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { runHere } from '../support/portico.ts';

describe('portico feed renew', () => {
  const place = temporaryFolder();

  it('makes the feed another one, and keeps its events', async () => {
    const file = place('portico.db');
    const store = await openSqlite({ file });
    const feed = () => store.unitOfWork.read(({ events }) => events.feed());
    await appendTo(store, [anEvent(), anEvent()]);
    const [before, events] = [await feed(), await visibleEvents(store, 0)];
    const { code, errors } = await runHere(['feed', 'renew'], { DATABASE_URL: `sqlite:${file}` });
    expect(code).to.equal(0);
    const { id, ...rest } = await feed();
    expect(errors).to.equal(`The feed of events is now ${id}.\n`);
    expect(id).to.not.equal(before.id);
    expect(rest).to.deep.equal({ first: before.first, last: before.last });
    expect(await visibleEvents(store, 0)).to.deep.equal(events);
    await store.close();
  });

  it('creates no database', async () => {
    const { code } = await runHere(['feed', 'renew'], { DATABASE_URL: `sqlite:${place('none.db')}` });
    expect(code).to.equal(1);
  });
});
