import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { samplesOf } from '#adapters/ops/docs/samples/index.ts';
import { examples, requestOf } from '../docs/samples/meant.ts';
import { operations } from '../http/support/described.ts';
import { describeServiceOnMemory } from '../http/support/service.ts';
import { euros, newProduct } from '../http/support/shop.ts';
import { builtPackage } from '../support/installed-package.ts';
import { strictestTypes } from '../support/strictest-types.ts';

const root = join(import.meta.dirname, '../..');

describeServiceOnMemory("The client's package", {}, (service) => {
  let project: string;

  const run = async (file: string, ...given: readonly string[]): Promise<string> => {
    const done = await promisify(execFile)(file, given, { cwd: project }).catch(({ stdout, stderr }) => {
      throw new Error(`${file} ${given.join(' ')}\n${stdout}${stderr}`);
    });
    return done.stdout;
  };

  const node = (...given: readonly string[]) => run(process.execPath, ...given);

  /** The program, importing the installed package. */
  const consumer = async (): Promise<string> => {
    const program = await readFile(join(import.meta.dirname, 'consumer.ts'), 'utf8');
    return program.replace('#adapters/http/client/index.ts', 'portico/client');
  };

  const check = (...files: readonly string[]) =>
    node(
      join(root, 'node_modules/typescript/bin/tsc'),
      ...['--noEmit', '--module', 'nodenext', '--target', 'es2022', '--moduleDetection', 'force'],
      ...['--lib', 'es2022,dom', '--types', '', ...strictestTypes],
      ...['process.d.ts', ...files],
    );

  before(async () => {
    project = await mkdtemp(join(tmpdir(), 'portico-consumer-'));
    const tarball = await builtPackage('client');
    // The whole package is in dist/, too.
    expect(basename(tarball)).to.match(/^portico-client-\d+\.\d+\.\d+.*\.tgz$/);
    await writeFile(join(project, 'package.json'), '{ "type": "module" }');
    await run('npm', 'install', '--offline', '--no-audit', '--no-fund', tarball);
    // The program needs only these of Node's types.
    await writeFile(
      join(project, 'process.d.ts'),
      'declare const process: { argv: string[]; stdout: { write(text: string): void } };',
    );
  });

  after(() => rm(project, { recursive: true, force: true }));

  it('contains only the client, without dependencies', async () => {
    expect(await readdir(join(project, 'node_modules'))).to.have.members(['.package-lock.json', 'portico']);
    const files = await readdir(join(project, 'node_modules/portico'), { recursive: true });
    expect(files).to.include.members(['README.md', 'LICENSE', 'client/index.js', 'client/index.d.ts']);
    for (const file of files.filter((name) => /\.(js|d\.ts)$/.test(name))) {
      const source = await readFile(join(project, 'node_modules/portico', file), 'utf8');
      // The example in a comment imports the client as its reader does.
      const text = source.replaceAll(/^ \* .*$/gm, '');
      for (const [, imported] of text.matchAll(/from ["']([^"']+)["']/g)) {
        expect(imported, file).to.match(/^\.\/[a-z-]+\.js$/);
      }
    }
  });

  it('types every call in a project without server code', async () => {
    await writeFile(join(project, 'program.ts'), await consumer());
    expect(await check('program.ts')).to.equal('');
  });

  it('compiles the examples of docs/client.md', async () => {
    const page = await readFile(join(root, 'docs/client.md'), 'utf8');
    const blocks = [...page.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, block]) => block);
    expect(blocks).to.have.length.of.at.least(7);
    await writeFile(join(project, 'page.ts'), blocks.join(''));
    expect(await check('page.ts')).to.equal('');
  });

  it('compiles the samples of the reference, of every operation', async () => {
    const samples = operations.map((operation) => {
      const request = requestOf(operation, 'https://shop.example', examples);
      return samplesOf(request).find(({ language }) => language === 'typescript')?.text ?? '';
    });
    const files = samples.map((_, place) => `sample-${place}.ts`);
    for (const [place, text] of samples.entries()) await writeFile(join(project, files[place] ?? ''), text);
    expect(await check(...files)).to.equal('');
  });

  it('runs in that project', async () => {
    await writeFile(join(project, 'program.ts'), await consumer());
    await newProduct(service, { name: 'Tea', price: euros(350), stock: 1 });
    await newProduct(service, { name: 'Cake', price: euros(420), stock: 0 });
    const { token = '' } = await service.person('customer');
    expect(await node('program.ts', service.url, token)).to.equal(
      'Tea: 350 EUR, succeeded\nCake is sold out.\n',
    );
  });
});
