import { expect } from 'chai';
import { noDeadline } from '#adapters/persistence/deadline.ts';
import { createDataLoader } from '#adapters/persistence/postgres/read-coalescing/data-loader.ts';
import type { Query } from '#adapters/persistence/postgres/read-coalescing/single-flight.ts';
import { unavailable } from '#adapters/persistence/sql/constraint-errors.ts';
import type { SqlSession, Statement } from '#adapters/persistence/sql/session.ts';
import { refusalOf } from '#test/contracts/harness.ts';

/** A collection, and how one of it is asked for. */
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

describe('What is asked for by id outside of units of work', () => {
  /** What was sent, and until when it was waited for. */
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

  it('is asked for at once, and everybody gets what they asked for', async () => {
    expect(await Promise.all(['a', 'none', 'b', 'a'].map((id) => idsOf(id)))).to.deep.equal([
      ['a'],
      [],
      ['b'],
      ['a'],
    ]);
    expect(sent).to.deep.equal(['things_find_many {"a","none","b"}']);
  });

  it('is asked for as ever by somebody alone', async () => {
    expect(await idsOf('a')).to.deep.equal(['a']);
    expect(await idsOf('none')).to.deep.equal([]);
    expect(sent).to.deep.equal(['things_find a', 'things_find none']);
  });

  it('is asked for apart in each collection, and all else by itself', async () => {
    await Promise.all([
      idsOf('a'),
      ask(others, ['a'], noDeadline),
      ask(page, ['a'], noDeadline),
      ask(page, ['b'], noDeadline),
    ]);
    expect(sent).to.have.members(['things_find a', 'others_find a', 'things_page a', 'things_page b']);
  });

  it('is asked for once when it is the same list, for as long as the last has time', async () => {
    const now = performance.now();
    const asked = [
      ask(list, ['a'], now + 5_000),
      ask(list, ['b'], now + 1_000),
      ask(list, ['a'], now + 9_000),
    ];
    const [one, other, another] = await Promise.all(asked);
    expect(one).to.deep.equal([{ id: 'a', of: 'things_page_of' }]);
    expect(other).to.deep.equal([{ id: 'b', of: 'things_page_of' }]);
    expect(another).to.deep.equal(one);
    expect(sent).to.deep.equal(['things_page_of a', 'things_page_of b']);
    expect(waited).to.deep.equal([now + 9_000, now + 1_000]);
    await ask(list, ['a'], noDeadline);
    expect(sent).to.have.lengthOf(3);
  });

  it('is refused to all who wanted the same list, and asked for anew by whoever comes then', async () => {
    refuse = () => {
      throw unavailable(new Error('gone'));
    };
    const wanting = Array.from({ length: 2 }, () => refusalOf(ask(list, ['a'], noDeadline)));
    for (const refusal of await Promise.all(wanting)) expect(refusal).to.have.property('kind', 'unavailable');
    refuse = () => undefined;
    expect(await ask(list, ['a'], noDeadline)).to.have.lengthOf(1);
    expect(sent).to.deep.equal(['things_page_of a', 'things_page_of a']);
  });

  it('never comes with an answer that was asked for before', async () => {
    const first = idsOf('a');
    await new Promise((resolve) => setImmediate(resolve));
    await Promise.all([first, idsOf('a')]);
    expect(sent).to.deep.equal(['things_find a', 'things_find a']);
  });

  it('is waited for as long as the last has time, and not asked for by whoever has none', async () => {
    const now = performance.now();
    const late = refusalOf(idsOf('c', now));
    await Promise.all([idsOf('a', now + 5_000), idsOf('b', now + 9_000), late]);
    expect(waited).to.deep.equal([now + 9_000]);
    expect(sent).to.deep.equal(['things_find_many {"a","b"}']);
    expect(await late).to.have.property('kind', 'unavailable');
  });

  it('is asked for by each alone when all together are refused', async () => {
    refuse = (name) => {
      if (name === 'things_find_many') throw new Error('one of them is in the way');
    };
    expect(await Promise.all([idsOf('a'), idsOf('b')])).to.deep.equal([['a'], ['b']]);
    expect(sent).to.deep.equal(['things_find_many {"a","b"}', 'things_find a', 'things_find b']);
  });

  it('is unavailable to all at once when the database is away', async () => {
    refuse = () => {
      throw unavailable(new Error('gone'));
    };
    const refusals = await Promise.all([refusalOf(idsOf('a')), refusalOf(idsOf('b'))]);
    for (const refusal of refusals) expect(refusal).to.have.property('kind', 'unavailable');
    expect(sent).to.deep.equal(['things_find_many {"a","b"}']);
  });
});
