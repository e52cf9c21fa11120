import { execFile, spawn } from 'node:child_process';
import { cp, readdir, stat, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { rejectionOf } from '#test/contracts/harness.ts';
import { Program, root } from '../../lab/program.ts';
import { killAtExit } from '../../support/at-exit.ts';
import { builtPackage, installPackage } from '../../support/installed-package.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { until } from '../../support/until.ts';
import { freePort } from '../support/ports.ts';

const store = `
import { openMemory } from 'portico/adapters/memory';
export const apiVersion = 0;
export const openStore = () => openMemory();
`;

const bytesOf = async (files: readonly string[]): Promise<number> =>
  (await Promise.all(files.map((file) => stat(file)))).reduce((sum, { size }) => sum + size, 0);

describe('The package', () => {
  const project = temporaryFolder();

  const run = async (file: string, ...args: readonly string[]): Promise<string> => {
    const done = await promisify(execFile)(file, args, { cwd: project('.') }).catch(({ stdout, stderr }) => {
      throw new Error(`${file} ${args.join(' ')}\n${stdout}${stderr}`);
    });
    return done.stdout;
  };

  const node = (...args: readonly string[]) => run(process.execPath, ...args);

  const check = (...options: readonly string[]) =>
    node(
      ...[join(root, 'node_modules/typescript/bin/tsc'), '--noEmit', '--strict', '--target', 'es2024'],
      ...['--skipLibCheck', 'false', ...options, 'consumer.ts'],
    );

  before(async () => {
    await installPackage(await builtPackage(), project('.'));
    await writeFile(project('package.json'), '{ "type": "module" }');
    await cp(join(import.meta.dirname, 'consumer.ts'), project('consumer.ts'));
  });

  it('holds no TypeScript but declarations and the examples of the docs', async () => {
    const files = await readdir(project('node_modules/portico'), { recursive: true });
    expect(files).to.include.members([
      'README.md',
      'LICENSE',
      'CHANGELOG.md',
      'SECURITY.md',
      'SUPPORT.md',
      'domain/index.js',
      'client/index.d.ts',
    ]);
    expect(
      files.filter((file) => /(?<!\.d)\.ts$/.test(file) && !file.startsWith('docs/examples/')),
    ).to.deep.equal([]);
  });

  it('is hardly larger than the sources that it replaces, with its declarations', async () => {
    const folder = 'node_modules/portico';
    // The scripts of pages have no other source.
    const built = (await readdir(project(folder), { recursive: true })).filter(
      (file) => /\.(js|d\.ts)$/.test(file) && !/^docs\/|\/browser\//.test(file),
    );
    const sources = built
      .filter((file) => file.endsWith('.js'))
      .map((file) => join(root, file.replace(/^client\//, 'adapters/http/client/').replace(/js$/, 'ts')));
    expect(sources).to.have.length.above(300);
    const size = await bytesOf(built.map((file) => project(folder, file)));
    // A declaration that names much more than it should has made it half as large again.
    expect(size / (await bytesOf(sources))).to.be.at.most(1.05);
  });

  it('gives its types to a project with nodenext', async () => {
    expect(await check('--module', 'nodenext', '--types', 'node')).to.equal('');
  });

  it("gives its types to a bundler's project", async () => {
    const options = ['--module', 'esnext', '--moduleResolution', 'bundler', '--lib', 'es2024,dom'];
    expect(await check(...options, '--types', '')).to.equal('');
  });

  it('runs a rule of one’s own on the memory store', async () => {
    expect(await node('consumer.ts')).to.equal(
      '01900000-0000-7000-8000-000000000008 succeeded At most two. canceled ' +
        'function undefined function function unavailable 2026-03-02T13:00:00.000Z\n',
    );
  });

  it('has the command portico', async () => {
    const command = project('node_modules/portico/bootstrap/portico.mjs');
    expect(await node(command, '--version')).to.contain('0.1.0');
    expect(await node(command, 'openapi')).to.contain('openapi');
  });

  it('names the commands of a project when it starts', async () => {
    const { PATH } = process.env;
    const firstLines = (settings: Readonly<Record<string, string>>) =>
      new Promise<string>((resolve, reject) => {
        const child = spawn(project('node_modules/.bin/portico'), ['start'], {
          cwd: project('.'),
          timeout: 20_000,
          env: {
            PATH: `${dirname(process.execPath)}:${PATH}`,
            PORT: '0',
            OPS_PORT: '0',
            ...settings,
          },
        });
        killAtExit(child);
        let output = '';
        child.stdout.on('data', (text: Buffer) => {
          output += text;
          if (/start$|--admin$/m.test(output)) child.kill('SIGINT');
        });
        child.on('error', reject).on('close', () => resolve(output));
      });
    expect(await firstLines({})).to.match(/^ {2}DATABASE_URL=\S+ ADMIN_API_KEY=\S+ npx portico start$/m);
    expect(await firstLines({ SEED_DEMO: '0' })).to.match(/^ {2}npx portico keys create --admin$/m);
    expect(await firstLines({ DATABASE_URL: 'memory:' })).to.match(
      /^ {2}ADMIN_API_KEY=.* npx portico start$/m,
    );
  });

  it('serves the admin page and the docs with all modules that they import', async () => {
    const port = await freePort();
    const program = new Program(project('node_modules/portico/bootstrap/portico.mjs'), {
      environment: { DATABASE_URL: 'memory:', SEED_DEMO: '0', PORT: '0', OPS_PORT: `${port}` },
      folder: project('.'),
      words: ['start'],
    });
    try {
      const at = (path: string) => fetch(new URL(path, `http://127.0.0.1:${port}`));
      await until(
        () => at('/livez').catch(() => undefined),
        (response) => response?.status === 200,
      );
      const seen = new Set<string>();
      const load = async (path: string): Promise<void> => {
        if (seen.has(path)) return;
        seen.add(path);
        const response = await at(path);
        expect(response.status, path).to.equal(200);
        for (const [, name = ''] of (await response.text()).matchAll(/\bfrom ?["']([./][^"']+)["']/g))
          await load(new URL(name, `http://portico${path}`).pathname);
      };
      expect((await at('/admin')).status).to.equal(200);
      await load('/admin/assets/app.js');
      expect([...seen]).to.include.members(['/admin/client/call.js', '/admin/lit-html/lit-html.js']);
      for (const page of ['/docs', '/docs/reference/orders', '/docs/reference/webhooks', '/docs/api']) {
        const response = await at(page);
        expect(response.status, page).to.equal(200);
        for (const [, file = ''] of (await response.text()).matchAll(
          /(?:src|href)="(\/docs\/assets\/[^"]+)"/g,
        ))
          await load(file);
      }
      for (const name of ['samples/curl.js', 'highlight/core.js', 'lit-html/lit-html.js'])
        expect([...seen]).to.include(`/docs/assets/${name}`);
    } finally {
      await program.stop();
    }
  });

  it('has the conformance suites, for a store in TypeScript outside node_modules', async () => {
    await writeFile(project('my-store.ts'), store);
    const command = project('node_modules/portico/bootstrap/portico.mjs');
    const conformance = () =>
      node(command, 'conformance', './my-store.ts', '--only', 'fifty concurrent buyers');
    expect(String(await rejectionOf(conformance()))).to.contain(
      'portico: The tests need the package chai. Run npm install --save-dev chai fast-check.',
    );
    for (const name of ['chai', 'fast-check']) {
      await symlink(join(root, 'node_modules', name), project('node_modules', name));
    }
    expect(await conformance()).to.match(/^2 kept, 0 broken$/m);
  });
});
