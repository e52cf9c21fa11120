import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { freePort, occupy, portOf } from '../bootstrap/support/ports.ts';
import { withWhatItNeeds } from '../support/production-packages.ts';
import { startFlags } from '../support/start-flags.ts';
import { until } from '../support/until.ts';
import { Contained, isolation } from './container.ts';
import { all, copies, environment, healthCheck, instructions, the } from './dockerfile.ts';
import { root, textOf } from './files.ts';
import { makeTree } from './image-tree.ts';

describe('The Dockerfile', () => {
  it('starts from the version of Node that package.json has, never from latest', () => {
    const { devDependencies } = JSON.parse(textOf('package.json'));
    expect(instructions[0]?.name).to.equal('ARG');
    expect(all('ARG')).to.deep.equal([`NODE_IMAGE=node:${devDependencies.node}-trixie-slim`]);
    expect(all('FROM')).to.deep.equal(['$' + '{NODE_IMAGE}']);
  });

  it('labels the image with the version', () => {
    const { version } = JSON.parse(textOf('package.json'));
    expect(the('LABEL')).to.include(`org.opencontainers.image.version="${version}"`);
  });

  it('copies existing files that .dockerignore includes', () => {
    const letThrough = textOf('.dockerignore')
      .split('\n')
      .filter((line) => line.startsWith('!'));
    const sources = copies.flatMap(({ sources }) => sources);
    for (const source of sources) expect(existsSync(join(root, source)), source).to.equal(true);
    expect(letThrough.map((line) => line.slice(1)).sort()).to.deep.equal([...sources].sort());
    expect(textOf('.dockerignore').split('\n')).to.include('*');
  });

  it('installs packages before it copies the code, which changes more often', () => {
    const install = instructions.findIndex(({ rest }) => rest.includes('npm ci --omit=dev'));
    const code = instructions.findIndex(({ name, rest }) => name === 'COPY' && rest.startsWith('bootstrap'));
    expect(install).to.be.greaterThan(0);
    expect(code).to.be.greaterThan(install);
  });

  it("installs Stripe's package at the version of the lockfile", () => {
    const [install = ''] = all('RUN');
    expect(install).to.match(
      /^npm pkg delete devDependencies\.stripe peerDependenciesMeta && npm ci --omit=dev --ignore-scripts /,
    );
  });

  it('runs as a numbered user other than root, with Node as process 1', () => {
    expect(the('USER')).to.equal('10001:10001');
    expect(the('STOPSIGNAL')).to.equal('SIGTERM');
    expect(JSON.parse(the('ENTRYPOINT'))).to.deep.equal([
      'node',
      ...startFlags,
      '/portico/bootstrap/portico.mjs',
    ]);
    expect(JSON.parse(the('CMD'))).to.deep.equal(['start']);
    const { PORT, OPS_PORT, DATABASE_URL } = environment;
    expect(the('EXPOSE')).to.equal(`${PORT} ${OPS_PORT}`);
    expect(DATABASE_URL).to.equal(`sqlite:${the('VOLUME')}/portico.db`);
  });
});

describe(`What the image holds, ${isolation},`, () => {
  let tree: string;
  let data: string;
  let remove: () => void;
  let contained: Contained | undefined;

  before(() => {
    ({ tree, data, remove } = makeTree(withWhatItNeeds('stripe')));
  });
  afterEach(async () => {
    await contained?.kill();
    contained = undefined;
  });
  after(() => remove());

  const start = (settings: Readonly<Record<string, string>>, words?: readonly string[]): Contained => {
    contained = new Contained(tree, data, settings, words);
    return contained;
  };

  const isServing = async (process: Contained): Promise<void> => {
    await until(
      async () => process.output + process.errors,
      (said) => /^Portico serves /.test(said),
      30_000,
    );
  };

  const health = (opsPort: string): number | null => {
    const [, ...words] = healthCheck;
    return spawnSync(process.execPath, words, { env: { OPS_PORT: opsPort } }).status;
  };

  const behindProxy = async (): Promise<Readonly<Record<string, string>>> => ({
    TRUST_PROXY: '1',
    SHUTDOWN_DRAIN_MS: '0',
    PORT: `${await freePort()}`,
    OPS_PORT: `${await freePort()}`,
  });

  it('does not start with plain HTTP, and names the settings for HTTPS', async () => {
    const process = start({});
    expect(await process.ended()).to.equal(1);
    expect(process.errors).to.match(/^portico: HOST .*TLS_CERT_FILE.*TRUST_PROXY=1.*\n$/);
  });

  it('serves from SQLite, passes its health check, writes to one folder only, and stops on SIGTERM', async () => {
    const settings = await behindProxy();
    const { PORT = '', OPS_PORT = '' } = settings;
    expect(health(OPS_PORT)).to.equal(1);
    const process = start({ ...settings, DATABASE_URL: `sqlite:${join(data, 'portico.db')}` });
    await isServing(process);
    expect(health(OPS_PORT)).to.equal(0);
    const headers = { 'X-Forwarded-Proto': 'https' };
    expect((await fetch(`http://127.0.0.1:${PORT}/v1/products`, { headers })).status).to.equal(401);
    expect((await fetch(`http://127.0.0.1:${OPS_PORT}/docs/api`)).status).to.equal(200);
    expect((await fetch(`http://127.0.0.1:${OPS_PORT}/docs`)).status).to.equal(200);
    expect(readdirSync(data)).to.include('portico.db');
    process.stop('SIGTERM');
    expect(await process.ended()).to.equal(0);
    expect(process.errors).not.to.match(/EACCES|EROFS|EPERM/);
    expect(readdirSync(data)).to.deep.equal(['portico.db']);
  });

  it('reports in one line that it cannot write elsewhere', async () => {
    const elsewhere = `sqlite:${join(tree, 'portico.db')}`;
    const process = start({ ...(await behindProxy()), DATABASE_URL: elsewhere });
    expect(await process.ended()).to.equal(1);
    expect(process.errors).to.match(/^portico: DATABASE_URL names a database that cannot be used: [^\n]+\n$/);
  });

  it('serves without a writable folder when no data is in files', async () => {
    const settings = await behindProxy();
    const { OPS_PORT = '' } = settings;
    const process = start({ ...settings, DATABASE_URL: 'memory:' });
    await isServing(process);
    expect(health(OPS_PORT)).to.equal(0);
    process.stop('SIGTERM');
    expect(await process.ended()).to.equal(0);
  });

  it('contains the package of Stripe', async () => {
    const stripe = { PAYMENT_PROVIDER: 'stripe', STRIPE_SECRET_KEY: 'sk_test_1' };
    const process = start({ ...(await behindProxy()), ...stripe, DATABASE_URL: 'memory:' });
    await isServing(process);
  });

  it('stops at once while the start waits for its database', async () => {
    // Even if this fails, the test run must not wait for it.
    const silent = createServer((socket) => socket.unref()).unref();
    const connected = new Promise((resolve) => silent.once('connection', resolve));
    silent.listen(0, '127.0.0.1');
    await until(async () => silent.listening, Boolean);
    const process = start({
      ...(await behindProxy()),
      DATABASE_URL: `postgres://unknown@127.0.0.1:${portOf(silent)}/none`,
    });
    await connected;
    process.stop('SIGTERM');
    expect(await process.ended()).to.equal(143);
    silent.close();
  });

  it('runs other commands', async () => {
    const process = start({ TRUST_PROXY: '1' }, ['doctor', '--json']);
    await process.ended();
    const [node] = JSON.parse(process.output);
    expect(node).to.include({ check: 'node', state: 'ok' });
  });

  it('fails its health check when no server responds', async () => {
    const server = await occupy();
    expect(health(`${portOf(server)}`)).to.equal(1);
    server.close();
  });
});
