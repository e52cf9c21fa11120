import { globSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect } from 'chai';
import { temporaryFolder } from '../support/temporary.ts';
import { typeErrors } from '../support/type-errors.ts';

const folders = ['domain', 'application', 'adapters', 'bootstrap'];

/** The examples in comments: what follows `@example`, up to the end of its comment. */
const examples = globSync(`{${folders}}/**/*.ts`).flatMap((file) =>
  Array.from(
    readFileSync(file, 'utf8').matchAll(/^ *\* @example\n((?:^ *\*(?!\/).*\n)+)/gm),
    ([, lines = '']) => ({
      file,
      text: lines.replaceAll(/^ *\* ?/gm, ''),
    }),
  ),
);

describe('The examples in comments', () => {
  const place = temporaryFolder();

  it('show how a route, a command, a use case, a process and the client are made', () => {
    expect(examples.map(({ file }) => file).toSorted()).to.deep.equal([
      'adapters/http/client/index.ts',
      'adapters/http/routing/route.ts',
      'application/use-case.ts',
      'application/use-case.ts',
      'bootstrap/cli/framework/command.ts',
    ]);
  });

  it('compile', async function () {
    this.timeout(120_000);
    for (const folder of [...folders, 'node_modules']) symlinkSync(resolve(folder), place(folder));
    const { imports } = JSON.parse(readFileSync('package.json', 'utf8'));
    writeFileSync(place('package.json'), JSON.stringify({ type: 'module', imports }));
    for (const [index, { text }] of examples.entries()) writeFileSync(place(`example-${index}.ts`), text);
    const compilerOptions = { noUnusedParameters: false, incremental: false, tsBuildInfoFile: null };
    const settings = {
      extends: resolve('tsconfig.json'),
      compilerOptions,
      include: ['example-*.ts'],
      exclude: [],
    };
    writeFileSync(place('tsconfig.json'), JSON.stringify(settings));
    expect(await typeErrors(process.cwd(), ['--project', join(place(), 'tsconfig.json')])).to.equal('');
  });
});
