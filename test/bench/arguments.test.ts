import { expect } from 'chai';
import { readArguments } from './arguments.ts';

const idsOf = (given: readonly string[]) => readArguments(given)?.chosen.map(({ id }) => id) ?? [];

describe('The arguments of the benchmark', () => {
  it('mean a whole run when there are none, and only that writes files', () => {
    const whole = readArguments([]);
    expect(whole?.kinds).to.deep.equal(['sqlite', 'postgres']);
    expect(whole?.output).to.match(/docs\/benchmarks$/);
    expect(whole?.soak).to.equal(1_000_000);
    for (const less of [['--check'], ['--quick'], ['--guard'], ['order'], ['--database', 'sqlite']]) {
      expect(readArguments(less)?.output, less.join()).to.equal(undefined);
    }
    expect(readArguments(['--quick', '--output', 'here'])?.output).to.equal('here');
  });

  it('name scenarios, a database and a pace', () => {
    const given = readArguments(['order', 'list-20', '--database', 'postgres', '--rounds', '2', '--quick']);
    expect(given?.chosen.map(({ id }) => id)).to.deep.equal(['order', 'list-20']);
    expect(given).to.deep.include({ kinds: ['postgres'], rounds: 2, seconds: 1, connections: 32 });
  });

  it('let the check run every scenario on every kind of database', () => {
    expect(idsOf(['--check'])).to.deep.equal(idsOf([]));
    expect(readArguments(['--check'])?.kinds).to.deep.equal(['sqlite', 'postgres', 'memory']);
  });

  it('let the guard compare requests that are sent in fixed numbers, with any earlier commit', () => {
    const guarded = idsOf(['--guard']);
    expect(guarded).to.include.members(['get-one', 'order', 'order-of-five', 'payment', 'replay', '401']);
    expect(guarded).not.to.include.oneOf(['mix', 'more-one', '429']);
    expect(readArguments(['--guard', '--against', 'v1'])).to.include({ isGuard: true, against: 'v1' });
  });

  it('are rejected with a message when they are invalid', () => {
    for (const wrong of [['nothing'], ['--database', 'mysql'], ['--rounds', '0'], ['--seconds', '1.5']]) {
      expect(() => readArguments(wrong), wrong.join(' ')).to.throw(/\.$/);
    }
    expect(readArguments(['--help'])).to.equal(undefined);
  });
});
