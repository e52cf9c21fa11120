import { expect } from 'chai';
import { noDeadline } from '#adapters/persistence/deadline.ts';
import { createDataLoader } from '#adapters/persistence/postgres/read-coalescing/data-loader.ts';
import type { Query } from '#adapters/persistence/postgres/read-coalescing/single-flight.ts';
import { unavailable } from '#adapters/persistence/sql/constraint-errors.ts';
import type { SqlSession, Statement } from '#adapters/persistence/sql/session.ts';
import { rejectionOf } from '#test/contracts/harness.ts';

/** The look-up by key in a table. */
const findIn = (name: string): Statement => ({
  name: `${name}_find`,
  text: '',
  operation: { kind: 'find', table: { name, columns: ['id', 'of'], keyLength: 1, hasVersions: false } },
});
const find = findIn('things');
const list: Statement = {
  name: 'things_page_of',
  text: '',
  operation: {
    kind: 'list',
    table: { name: 'things', columns: ['id', 'of'], keyLength: 1, hasVersions: false },
  },
};
const others = findIn('others');
const page: Statement = { name: 'things_page', text: '' };

describe('A read outside of units of work', () => {
  /** The statements that were sent, and their deadlines. */
  let sent: string[];
  let waited: number[];
  let refuse: (name: string) => void;
  let ask: Query;
  beforeEach(() => {
    sent = [];
    waited = [];
    refuse = () => undefined;
    ask = createDataLoader(
      (until): SqlSession => ({
        query: async <Row>({ name }: Statement, [value]: readonly unknown[]) => {
          sent.push(`${name} ${value}`);
          waited.push(until);
          refuse(name);
          const ids = String(value).replace(/[{}"]/g, '').split(',');
          return ids.filter((id) => id !== 'none').map((id) => ({ id, of: name })) as Row[];
        },
        execute: async () => 0,
      }),
    );
  });

  const idsOf = async (id: string, until = noDeadline) =>
    (await ask<{ readonly id: string }>(find, [id], until)).map((row) => row.id);

  it('by key shares a statement with others of the same turn, and each gets its own row', async () => {
    expect(await Promise.all(['a', 'none', 'b', 'a'].map((id) => idsOf(id)))).to.deep.equal([
      ['a'],
      [],
      ['b'],
      ['a'],
    ]);
    expect(sent).to.deep.equal(['things_find_many {"a","none","b"}']);
  });

  it('by key that is alone sends the statement of its own', async () => {
    expect(await idsOf('a')).to.deep.equal(['a']);
    expect(await idsOf('none')).to.deep.equal([]);
    expect(sent).to.deep.equal(['things_find a', 'things_find none']);
  });

  it('shares a statement within its table only, and only if it is a look-up by key', async () => {
    await Promise.all([
      idsOf('a'),
      ask(others, ['a'], noDeadline),
      ask(page, ['a'], noDeadline),
      ask(page, ['b'], noDeadline),
    ]);
    expect(sent).to.have.members(['things_find a', 'others_find a', 'things_page a', 'things_page b']);
  });

  it('of a list is sent once for equal lists of a turn, with the latest of their deadlines', async () => {
    const now = performance.now();
    const requested = [
      ask(list, ['a'], now + 5_000),
      ask(list, ['b'], now + 1_000),
      ask(list, ['a'], now + 9_000),
    ];
    const [one, other, another] = await Promise.all(requested);
    expect(one).to.deep.equal([{ id: 'a', of: 'things_page_of' }]);
    expect(other).to.deep.equal([{ id: 'b', of: 'things_page_of' }]);
    expect(another).to.deep.equal(one);
    expect(sent).to.deep.equal(['things_page_of a', 'things_page_of b']);
    expect(waited).to.deep.equal([now + 9_000, now + 1_000]);
    await ask(list, ['a'], noDeadline);
    expect(sent).to.have.lengthOf(3);
  });

  it('of a list fails for all who share it, and is sent anew for the next', async () => {
    refuse = () => {
      throw unavailable(new Error('gone'));
    };
    const wanting = Array.from({ length: 2 }, () => rejectionOf(ask(list, ['a'], noDeadline)));
    for (const rejection of await Promise.all(wanting))
      expect(rejection).to.have.property('kind', 'unavailable');
    refuse = () => undefined;
    expect(await ask(list, ['a'], noDeadline)).to.have.lengthOf(1);
    expect(sent).to.deep.equal(['things_page_of a', 'things_page_of a']);
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
    expect(sent).to.deep.equal(['things_find_many {"a","b"}']);
    expect(await late).to.have.property('kind', 'unavailable');
  });

  it('by key is sent alone when its batch fails', async () => {
    refuse = (name) => {
      if (name === 'things_find_many') throw new Error('one of them is in the way');
    };
    expect(await Promise.all([idsOf('a'), idsOf('b')])).to.deep.equal([['a'], ['b']]);
    expect(sent).to.deep.equal(['things_find_many {"a","b"}', 'things_find a', 'things_find b']);
  });

  it('by key fails with its batch when the database is unavailable', async () => {
    refuse = () => {
      throw unavailable(new Error('gone'));
    };
    const rejections = await Promise.all([rejectionOf(idsOf('a')), rejectionOf(idsOf('b'))]);
    for (const rejection of rejections) expect(rejection).to.have.property('kind', 'unavailable');
    expect(sent).to.deep.equal(['things_find_many {"a","b"}']);
  });
});
