import { expect } from 'chai';
import { Random } from '#test/support/random.ts';
import { Violations, violation, violationKinds } from '../lab/violations.ts';
import { readArguments } from './arguments.ts';
import { noCounts } from './counts.ts';
import { summary } from './table.ts';

describe('Chaos', () => {
  it('takes its arguments, and no others', () => {
    const common = { atSystemCalls: false, events: false, light: false, operations: undefined };
    expect(readArguments([])).to.deep.equal({ ...common, kills: 200, seed: 1, database: 'sqlite' });
    expect(readArguments(['--at-system-calls', '--operations=refund'])).to.deep.include({
      ...{ atSystemCalls: true, operations: 'refund' },
    });
    expect(readArguments(['--kills', '7', '--seed=3', '--database', 'postgres'])).to.deep.equal({
      ...common,
      ...{ kills: 7, seed: 3, database: 'postgres' },
    });
    expect(readArguments(['--events', '--light'])).to.include({ events: true, light: true });
    expect(readArguments(['--help'])).to.equal(undefined);
    for (const wrong of [
      ['--kils', '7'],
      ['7'],
      ['--kills', '-1'],
      ['--kills', 'many'],
      ['--database', 'memory'],
      ['--events', '--database', 'mariadb'],
    ]) {
      expect(() => readArguments(wrong), wrong.join(' ')).to.throw();
    }
  });

  it('chooses the same for the same seed', () => {
    const choices = (seed: number) => {
      const random = new Random(seed);
      return Array.from({ length: 20 }, () =>
        [random.between(1, 6), random.weighted({ a: 1, b: 2, c: 0 })].join(),
      );
    };
    expect(choices(1)).to.deep.equal(choices(1)).and.not.deep.equal(choices(2));
    expect(choices(1).join()).to.match(/a/).and.match(/b/).and.not.match(/c/);
  });

  it('counts every kind of violation in its table, those that were not seen too', () => {
    const printed: string[] = [];
    const violations = new Violations((line) => printed.push(line));
    violations.add(
      violation('money', 'order 1'),
      violation('money', 'order 2'),
      violation('stock', 'product 1'),
    );
    const lines = summary({ seed: 5, database: 'sqlite' }, noCounts(), violations, 61).split('\n');
    for (const [kind, label] of Object.entries(violationKinds)) {
      const count = { money: 2, stock: 1 }[kind] ?? 0;
      expect(
        lines.find((line) => line.includes(label)),
        label,
      ).to.match(new RegExp(`\\s${count}$`));
    }
    expect(printed.join('\n'))
      .to.match(/order 2/)
      .and.match(/product 1/);
  });
});
