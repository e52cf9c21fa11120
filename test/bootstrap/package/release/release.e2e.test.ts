import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { runShell } from '../../../docs/project.ts';
import { Program, root } from '../../../lab/program.ts';
import { openRegistry } from '../../../support/loopback-registry.ts';
import { productionPackages } from '../../../support/production-packages.ts';
import { temporaryFolder } from '../../../support/temporary.ts';
import { freePort } from '../../support/ports.ts';

const run = promisify(execFile);

interface Component {
  readonly 'bom-ref': string;
  readonly type: string;
  readonly name: string;
  readonly version: string;
  readonly purl: string;
  readonly licenses: readonly { readonly license?: { readonly id?: string }; readonly expression?: string }[];
  readonly hashes: readonly { readonly alg: string; readonly content: string }[];
}

const idOf = ({ name, version }: { readonly name: string; readonly version: string }): string =>
  `${name}@${version}`;

describe('A release', () => {
  const folder = temporaryFolder();
  const release = (...names: readonly string[]) => folder('release', ...names);
  const environment = {
    ...process.env,
    PATH: `${dirname(process.execPath)}${delimiter}${process.env['PATH']}`,
  };
  let version: string;
  let overrides: object;
  let locked: Readonly<Record<string, { readonly version: string; readonly license: string }>>;

  const rehearse = () =>
    new Program('bootstrap/package/release/main.ts', {
      environment,
      folder: root,
      words: ['--rehearse', '--out', release()],
    });

  const billOf = async (name: string) => {
    const text = await readFile(release(`${name}-${version}.cdx.json`), 'utf8');
    const components: readonly Component[] = JSON.parse(text).components;
    return { text, components, bill: JSON.parse(text) };
  };

  before(async () => {
    ({ version, overrides } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')));
    ({ packages: locked } = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')));
    await rehearse().succeeded();
  });

  it('has packages, build context, bills of materials, notes, and the checksums of all that is published', async () => {
    const published = [
      `portico-${version}.tgz`,
      `portico-client-${version}.tgz`,
      `portico-image-${version}.tar.gz`,
      `portico-${version}.cdx.json`,
      `portico-image-${version}.cdx.json`,
    ];
    expect(await readdir(release())).to.have.members([...published, 'NOTES.md', 'SHA256SUMS']);
    const sums = await Promise.all(
      published.map(async (file) => {
        const hash = createHash('sha256').update(await readFile(release(file)));
        return `${hash.digest('hex')}  ${file}`;
      }),
    );
    expect((await readFile(release('SHA256SUMS'), 'utf8')).trim().split('\n')).to.have.members(sums);
    expect(await readFile(release('NOTES.md'), 'utf8')).to.match(new RegExp(`^# Portico ${version}\n`));
  });

  it('is made in an empty folder only', async () => {
    const again = rehearse();
    expect(await again.ended()).to.equal(1);
    expect(again.errors).to.match(
      /^release: \S+ is not empty\. Remove it, or name another folder with --out\.$/m,
    );
  });

  it('lists every production package of the lockfile with version, licence and hash, as CycloneDX has it', async () => {
    const { bill, components, text } = await billOf('portico');
    expect(bill).to.include({ bomFormat: 'CycloneDX', specVersion: '1.5', version: 1 });
    expect(bill.serialNumber).to.match(/^urn:uuid:[0-9a-f-]{36}$/);
    expect(bill.metadata.component).to.include({ name: 'portico', version, type: 'application' });
    const wanted = Object.entries(locked).filter(([path, entry]) => path !== '' && !('dev' in entry));
    const ids = wanted.map(([path, entry]) =>
      idOf({ name: path.replace(/^.*node_modules\//, ''), version: entry.version }),
    );
    expect(components.map(idOf))
      .to.have.members([...new Set(ids)])
      .and.to.have.length.above(80);
    for (const component of components) {
      const id = idOf(component);
      expect(component.purl, id).to.equal(`pkg:npm/${id.replace(/^@/, '%40')}`);
      const licences = component.licenses.map(({ license, expression }) => license?.id ?? expression);
      expect(licences.join(), id).to.match(/^[\w.()-]+(?: (?:OR|AND) [\w.()-]+)*$/);
      expect(component.hashes[0]?.content, id).to.match(/^[0-9a-f]{128}$/);
    }
    // Every reference leads to a component of the list.
    const references = [bill.metadata.component, ...components].map((component) => component['bom-ref']);
    expect(new Set(references).size).to.equal(references.length);
    for (const { ref, dependsOn } of bill.dependencies)
      expect(references, ref).to.include.members([ref, ...dependsOn]);
    expect(text).not.to.include(root);
  });

  it("lists Stripe's package for the image besides", async () => {
    const ofImage = (await billOf('portico-image')).components.map(idOf);
    const ofPackage = (await billOf('portico')).components.map(idOf);
    const stripe = locked['node_modules/stripe']?.version;
    expect(ofImage).to.have.members([...ofPackage, `stripe@${stripe}`]);
  });

  it('has a build context with what the Dockerfile copies, and nothing else', async () => {
    const { stdout } = await run('tar', ['-tzf', release(`portico-image-${version}.tar.gz`)]);
    const top = new Set(stdout.split('\n').map((path) => path.split('/')[0] ?? ''));
    const { stdout: dockerfile } = await run('tar', [
      ...['-xzOf', release(`portico-image-${version}.tar.gz`), 'Dockerfile'],
    ]);
    const copied = [...dockerfile.matchAll(/^COPY (.+) \S+$/gm)].flatMap(([, sources = '']) =>
      sources.split(' '),
    );
    expect([...top]).to.have.members(['', 'Dockerfile', '.dockerignore', ...copied]);
  });

  it('has a package that npm installs from a registry and `npx portico start` serves', async () => {
    const project = folder('project');
    await mkdir(project);
    // The registry has the versions of the lockfile alone, which the clone's overrides have chosen.
    await writeFile(join(project, 'package.json'), JSON.stringify({ private: true, overrides }));
    const registry = await openRegistry();
    try {
      await run(
        'npm',
        [
          ...['install', '--no-audit', '--no-fund', '--ignore-scripts', '--noproxy=127.0.0.1'],
          ...[`--registry=${registry.url}`, `--cache=${folder('cache')}`],
          release(`portico-${version}.tgz`),
        ],
        { cwd: project, env: environment },
      );
    } finally {
      await registry.close();
    }
    // No development package, no optional peer, and each package once that the lockfile has once.
    const { packages } = JSON.parse(await readFile(join(project, 'package-lock.json'), 'utf8'));
    const installed = Object.keys(packages).filter((path) => /^node_modules\/(?!portico$)/.test(path));
    expect(installed.length).to.be.within(80, productionPackages().length + 2);
    // The whole group ends with the shell: npx passes no signal on to the server.
    const printed = await runShell(
      project,
      `export OPS_PORT=${await freePort()}
      npx portico start > output 2> errors &
      until curl --silent --fail "http://127.0.0.1:$OPS_PORT/readyz"; do kill -0 $!; sleep 0.2; done
      cat output`,
    );
    expect(printed)
      .to.match(/^Portico serves /m)
      .and.to.match(/^ {2}customer {2}ptc_/m);
  });
});
