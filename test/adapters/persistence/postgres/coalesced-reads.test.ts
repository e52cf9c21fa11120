import { expect } from 'chai';
import { coalescedReads } from '#adapters/persistence/postgres/read-coalescing/coalesced-reads.ts';
import { noDeadline } from '#adapters/persistence/retry.ts';
import { builderOf } from '#adapters/persistence/sql/builder.ts';
import { unavailable } from '#adapters/persistence/sql/constraint-errors.ts';
import { valuesOf } from '#adapters/persistence/sql/direct-session.ts';
import type { ReadSession, SqlSession } from '#adapters/persistence/sql/session.ts';
import type { SqlTable, Statement } from '#adapters/persistence/sql/sql-table.ts';
import { compileTable } from '#adapters/persistence/sql/statements.ts';
import { sqliteOrm } from '#adapters/persistence/sqlite/connect.ts';
import { sqliteDialect } from '#adapters/persistence/sqlite/dialect.ts';
import { rejectionOf } from '#test/contracts/harness.ts';

const builder = builderOf(sqliteOrm(':memory:', 0));
const tableOf = (name: string): SqlTable =>
  compileTable(builder, { name, columns: ['id', 'of'], filters: { of: 'of' } }, sqliteDialect);
const things = tableOf('things');
const others = tableOf('others');
const raw: Statement = { name: 'things_count', text: '' };

describe('A read outside of units of work', () => {
  /** The statements that were sent, and their deadlines. */
  let sent: string[];
  let waited: number[];
  let refuse: (name: string) => void;
  let readsUntil: (deadline: number) => ReadSession;
  beforeEach(() => {
    sent = [];
    waited = [];
    refuse = () => undefined;
    readsUntil = coalescedReads(
      (until): SqlSession => ({
        query: async <Row>({ name }: Statement, [value]: readonly unknown[]) => {
          sent.push(`${name} ${value}`);
          waited.push(until);
          refuse(name);
          const text = String(value);
          const ids = text.startsWith('{') ? text.slice(1, -1).replaceAll('"', '').split(',') : [text];
          return ids.filter((id: string) => id !== 'none').map((id: string) => ({ id, of: name })) as Row[];
        },
        execute: async () => 0,
      }),
    );
  });

  const idsOf = async (id: string, until = noDeadline) => {
    const row = await readsUntil(until).find(things, [id]);
    return row === undefined ? [] : [valuesOf({ name: '', text: '', parameters: ['id'] }, row)[0]];
  };
  const list = (after: string, until = noDeadline) =>
    readsUntil(until).page(things, { filter: {}, after, limit: 2 });
  const count = (value: string) => readsUntil(noDeadline).query(raw, [value]);

  it('by key shares a statement with others of the same turn, and each gets its own row', async () => {
    expect(await Promise.all(['a', 'none', 'b', 'a'].map((id) => idsOf(id)))).to.deep.equal([
      ['a'],
      [],
      ['b'],
      ['a'],
    ]);
    expect(sent).to.deep.equal(['things_find_all {"a","none","b"}']);
  });

  it('by key that is alone sends the statement of its own', async () => {
    expect(await idsOf('a')).to.deep.equal(['a']);
    expect(await idsOf('none')).to.deep.equal([]);
    expect(sent).to.deep.equal(['things_find a', 'things_find none']);
  });

  it('shares a statement within its table only, and only if it is a look-up by key', async () => {
    await Promise.all([idsOf('a'), readsUntil(noDeadline).find(others, ['a']), count('a'), count('b')]);
    expect(sent).to.have.members(['things_find a', 'others_find a', 'things_count a', 'things_count b']);
  });

  it('of a list is sent once for equal lists of a turn, with the latest of their deadlines', async () => {
    const now = performance.now();
    const requested = [list('a', now + 5_000), list('b', now + 1_000), list('a', now + 9_000)];
    const [one, other, another] = await Promise.all(requested);
    expect(one).to.deep.equal([{ id: 'a', of: 'things_page_after' }]);
    expect(other).to.deep.equal([{ id: 'b', of: 'things_page_after' }]);
    expect(another).to.deep.equal(one);
    expect(sent).to.deep.equal(['things_page_after a', 'things_page_after b']);
    expect(waited).to.deep.equal([now + 9_000, now + 1_000]);
    await list('a', noDeadline);
    expect(sent).to.have.lengthOf(3);
  });

  it('of a list fails for all who share it, and is sent anew for the next', async () => {
    refuse = () => {
      throw unavailable(new Error('gone'));
    };
    const wanting = Array.from({ length: 2 }, () => rejectionOf(list('a', noDeadline)));
    for (const rejection of await Promise.all(wanting))
      expect(rejection).to.have.property('kind', 'unavailable');
    refuse = () => undefined;
    expect(await list('a', noDeadline)).to.have.lengthOf(1);
    expect(sent).to.deep.equal(['things_page_after a', 'things_page_after a']);
  });

  it('never shares a statement that was sent before it', async () => {
    const first = idsOf('a');
    await new Promise((resolve) => setImmediate(resolve));
    await Promise.all([first, idsOf('a')]);
    expect(sent).to.deep.equal(['things_find a', 'things_find a']);
  });

  it('by key has the latest deadline of its batch, and is not sent when its own has passed', async () => {
    const now = performance.now();
    const late = rejectionOf(idsOf('c', now));
    await Promise.all([idsOf('a', now + 5_000), idsOf('b', now + 9_000), late]);
    expect(waited).to.deep.equal([now + 9_000]);
    expect(sent).to.deep.equal(['things_find_all {"a","b"}']);
    expect(await late).to.have.property('kind', 'unavailable');
  });

  it('by key is sent alone when its batch fails', async () => {
    refuse = (name) => {
      if (name === 'things_find_all') throw new Error('one of them is in the way');
    };
    expect(await Promise.all([idsOf('a'), idsOf('b')])).to.deep.equal([['a'], ['b']]);
    expect(sent).to.deep.equal(['things_find_all {"a","b"}', 'things_find a', 'things_find b']);
  });

  it('by key fails with its batch when the database is unavailable', async () => {
    refuse = () => {
      throw unavailable(new Error('gone'));
    };
    const rejections = await Promise.all([rejectionOf(idsOf('a')), rejectionOf(idsOf('b'))]);
    for (const rejection of rejections) expect(rejection).to.have.property('kind', 'unavailable');
    expect(sent).to.deep.equal(['things_find_all {"a","b"}']);
  });
});
