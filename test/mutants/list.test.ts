import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { mariadbIsMissing } from '../support/mariadb-server.ts';
import { mutants } from './list.ts';
import { promisesWithoutTest, selections } from './mutant.ts';
import { plant } from './plant.ts';
import { titlesIn } from './titles.ts';

describe('The mutants', () => {
  it('have names of their own', () => {
    const names = mutants.map(({ file, name }) => `${file}: ${name}`);
    expect(new Set(names)).to.have.lengthOf(names.length);
  });

  it('are at least forty of the memory store, and forty of SQLite', () => {
    for (const store of ['memory', 'sqlite']) {
      expect(mutants.filter(({ tests }) => tests === store)).to.have.length.above(39);
    }
  });

  it('are at least ten of MariaDB', () => {
    expect(mutants.filter(({ tests }) => tests === 'mariadb')).to.have.length.above(9);
  });

  it('are at least eight of each payment provider, and of what is recorded of its word', () => {
    for (const selection of ['sandbox', 'stripe', 'reconciliation'])
      expect(mutants.filter(({ tests }) => tests === selection)).to.have.length.above(7);
  });

  for (const mutant of mutants) {
    it(`can be planted in the code of today: ${mutant.file}, ${mutant.name}`, () => {
      const source = readFileSync(mutant.file, 'utf8');
      expect(plant(mutant, source)).not.to.equal(source);
    });
  }

  it('are rejected when their text is not in the file, or more than once', () => {
    const fault = { name: 'a', file: 'b.ts', text: 'x', replacement: '$&y' };
    expect(plant(fault, '-x-')).to.equal('-$&y-');
    expect(() => plant(fault, '-')).to.throw(/b\.ts 0 times/);
    expect(() => plant(fault, 'xx')).to.throw(/b\.ts 2 times/);
  });
});

describe('The promises of the mutants', () => {
  for (const [tests, of] of Map.groupBy(mutants, (mutant) => mutant.tests)) {
    // Its tests are skipped where it is not installed.
    const test = tests === 'mariadb' && mariadbIsMissing !== undefined ? it.skip : it;
    test(`are each the title of one of the ${tests} tests`, async () => {
      const titles = await titlesIn(selections[tests].files);
      const promises = of.map(({ promise }) => promise);
      expect(promisesWithoutTest(tests, promises, titles)).to.deep.equal([]);
      expect(promisesWithoutTest(tests, ['a promise with a typo'], titles)).to.have.lengthOf(1);
    });
  }
});
