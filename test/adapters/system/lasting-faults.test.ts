import { expect } from 'chai';
import { lastingFaults } from '#adapters/system/lasting-faults.ts';
import { UnavailableError } from '#application/errors.ts';
import { ofEachTest } from '../../support/of-each-test.ts';
import { SimulatedTime } from '../../support/simulated-time.ts';

describe('A fault that lasts', () => {
  const time = ofEachTest(() => new SimulatedTime());
  const opened = () => {
    const lines: [level: string, message: string, fields: Record<string, unknown>][] = [];
    const write = (level: string) => (fields: object, message: string) =>
      lines.push([level, message, fields as Record<string, unknown>]);
    const { report } = lastingFaults({ error: write('error'), warn: write('warn') }, () => time.now);
    return { lines, report, messages: () => lines.map(([, message]) => message) };
  };
  const unavailable = () => new UnavailableError('database-unavailable');

  it('of the database has a line when it begins, one a minute, and one with its duration when it has ended', async () => {
    const { lines, report, messages } = opened();
    for (let second = 0; second < 130; second += 1) {
      report('warn', { err: unavailable() }, 'A background job failed.');
      report('error', { err: unavailable(), requestId: `${second}` }, 'A request failed.');
      await time.pass(1_000, 100);
    }
    await time.pass(20_000, 100);
    expect(messages()).to.deep.equal([
      'A background job failed.',
      'The database is still unavailable.',
      'The database is still unavailable.',
      'The database is available again.',
    ]);
    expect(lines.at(-1)?.[2]).to.deep.equal({ lastedMs: 129_000, failures: 260 });
    report('error', { err: unavailable(), requestId: 'x' }, 'A request failed.');
    expect(lines.at(-1)).to.have.nested.property('[2].requestId', 'x');
  });

  it('and is of another kind has lines of its own, for each error that differs', async () => {
    const { report, messages } = opened();
    for (let round = 0; round < 3; round += 1) {
      report('warn', { err: new Error('one') }, 'A background job failed.');
      report('warn', { err: new Error('two') }, 'A background job failed.');
      await time.pass(5_000, 100);
    }
    expect(messages()).to.have.length(2);
    await time.pass(20_000, 100);
    expect(messages().slice(2)).to.deep.equal([
      'This has ended: A background job failed.',
      'This has ended: A background job failed.',
    ]);
  });

  it('is one that has happened more than once, unless it is of the database', async () => {
    const { report, messages } = opened();
    report('warn', { err: new Error('one') }, 'A background job failed.');
    await time.pass(100_000, 1_000);
    expect(messages()).to.deep.equal(['A background job failed.']);
    report('warn', { err: unavailable() }, 'A background job failed.');
    await time.pass(100_000, 1_000);
    expect(messages().slice(1)).to.deep.equal([
      'A background job failed.',
      'The database is available again.',
    ]);
  });
});
