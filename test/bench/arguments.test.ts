import { expect } from 'chai';
import { readArguments } from './arguments.ts';

const idsOf = (given: readonly string[]) => readArguments(given)?.chosen.map(({ id }) => id) ?? [];

describe('What the benchmark is told', () => {
  it('is a whole run when it is nothing, and only that is kept', () => {
    const whole = readArguments([]);
    expect(whole?.kinds).to.deep.equal(['sqlite', 'postgres']);
    expect(whole?.output).to.match(/docs\/benchmarks$/);
    expect(whole?.soak).to.equal(1_000_000);
    for (const less of [['--quick'], ['--guard'], ['order'], ['--database', 'sqlite']]) {
      expect(readArguments(less)?.output, less.join()).to.equal(undefined);
    }
    expect(readArguments(['--quick', '--output', 'here'])?.output).to.equal('here');
  });

  it('names scenarios, a database and a pace', () => {
    const given = readArguments(['order', 'list-20', '--database', 'postgres', '--rounds', '2', '--quick']);
    expect(given?.chosen.map(({ id }) => id)).to.deep.equal(['order', 'list-20']);
    expect(given).to.deep.include({ kinds: ['postgres'], rounds: 2, seconds: 1, connections: 32 });
  });

  it('lets a guard look at what has a goal with many connections', () => {
    expect(idsOf(['--guard'])).to.include.members(['get-one', 'order', 'replay', '429']);
    expect(idsOf(['--guard'])).not.to.include.oneOf(['mix', 'payment', 'get-one-alone', 'more-one']);
  });

  it('is refused with a sentence when it means nothing', () => {
    for (const wrong of [['nothing'], ['--database', 'mysql'], ['--rounds', '0'], ['--seconds', '1.5']]) {
      expect(() => readArguments(wrong), wrong.join(' ')).to.throw(/\.$/);
    }
    expect(readArguments(['--help'])).to.equal(undefined);
  });
});
