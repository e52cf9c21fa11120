import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { mutants } from './list.ts';
import { plant } from './plant.ts';

describe('The mutants', () => {
  it('have names of their own', () => {
    const names = mutants.map(({ file, name }) => `${file}: ${name}`);
    expect(new Set(names)).to.have.lengthOf(names.length);
  });

  for (const mutant of mutants) {
    it(`can be planted in the code of today: ${mutant.file}, ${mutant.name}`, () => {
      const source = readFileSync(mutant.file, 'utf8');
      expect(plant(mutant, source)).not.to.equal(source);
    });
  }

  it('are rejected when their text is not in the file, or more than once', () => {
    const mutant = { name: 'a', file: 'b.ts', text: 'x', replacement: '$&y', tests: 'memory' } as const;
    expect(plant(mutant, '-x-')).to.equal('-$&y-');
    expect(() => plant(mutant, '-')).to.throw(/b\.ts 0 times/);
    expect(() => plant(mutant, 'xx')).to.throw(/b\.ts 2 times/);
  });
});
