import { globSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { importsIn } from '../architecture/imports.ts';

/** What has a laboratory of its own beside the common one. */
const programs = ['bench', 'chaos', 'mutants', 'simulation', 'trials'];

describe('The laboratory', () => {
  it('knows nothing of the programs that use it, so that its judge takes evidence of each', () => {
    const files = globSync('test/lab/**/*.ts');
    const imports = files.flatMap((file) => importsIn(file, readFileSync(file, 'utf8')));
    const known = imports.filter(({ of }) => programs.some((program) => of.startsWith(`test/${program}/`)));
    expect(known).to.deep.equal([]);
    expect(imports).to.deep.include({ from: 'test/lab/judge/all.ts', of: 'test/lab/judge/charges.ts' });
  });
});
