import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:http';
import { expect } from 'chai';
import type { Finding } from '#application/ports/inspection.ts';
import { checkBackups } from '#bootstrap/cli/doctor/production/backups.ts';
import { checkProxyTimeout, checkPublicUrl } from '#bootstrap/cli/doctor/production/proxy.ts';
import { checkTransport } from '#bootstrap/cli/doctor/production/transport.ts';
import { checkMoney } from '#bootstrap/cli/doctor/providers.ts';
import { startApp } from '#bootstrap/composition/app.ts';
import { readConfig } from '#bootstrap/config/config.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { statesOf } from '../support/findings.ts';
import { runHere } from '../support/portico.ts';
import { leave, occupy, portOf } from '../support/ports.ts';

const hour = 3_600_000;

describe('portico doctor --production', () => {
  const place = temporaryFolder();
  const settings = () => ({
    DATABASE_URL: `sqlite:${place('shop.db')}`,
    PORT: '0',
    OPS_PORT: '0',
    LOG_LEVEL: 'error',
  });
  before(async () => {
    await (await startApp(readConfig(settings()))).close();
  });

  it('says of a first trial what it lacks for real clients, each with what to do, and changes nothing', async () => {
    const { code, output } = await runHere(['doctor', '--production', '--json'], {
      ...settings(),
      TRUST_PROXY: '1',
    });
    expect(code).to.equal(0);
    const findings = JSON.parse(output) as (Finding & { readonly says: string })[];
    const warned = findings.filter(({ state }) => state === 'warn');
    expect(warned.map(({ check }) => check)).to.include.members([
      ...['admin keys', 'backup', 'public url', 'proxy', 'money'],
    ]);
    for (const { remedy } of warned) expect(remedy).to.match(/^[A-Z].*\.$/);
    const { output: keys } = await runHere(['keys', 'list', '--json'], settings());
    expect(JSON.parse(keys)).to.deep.equal([]);
  });

  it('takes --backups and --proxy-timeout, in units, with --production only', async () => {
    expect((await runHere(['doctor', '--proxy-timeout', '30s'], settings())).code).to.equal(2);
    expect((await runHere(['doctor', '--production', '--proxy-timeout', '30'], settings())).code).to.equal(2);
    const words = ['doctor', '--production', '--backups', place('none'), '--proxy-timeout', '3s'];
    const { code, output } = await runHere(words, settings());
    expect(code).to.equal(1);
    expect(output)
      .to.match(/^fail {2}backup .*none/m)
      .and.match(/^fail {2}proxy .* after 3 s, .* 50 s /m);
  });

  it('names keys of administrators that never end, and ADMIN_API_KEY', async () => {
    await runHere(['keys', 'create', '--admin', '--expires', '90d', '--name', 'Ada'], settings());
    const check = async (more: Readonly<Record<string, string>> = {}) => {
      const { output } = await runHere(['doctor', '--production'], { ...settings(), ...more });
      return output.split('\n').filter((line) => / {2}admin keys /.test(line));
    };
    expect(await check()).to.deep.equal(['ok    admin keys  administrators have 1 key, each with an end']);
    await runHere(['keys', 'create', '--admin', '--name', 'Laptop'], settings());
    expect((await check())[0]).to.match(
      /^warn {2}admin keys {2}administrators have 1 key without an end: Laptop \(/,
    );
    await runHere(['keys', 'create', '--admin', '--publishable', '--name', 'Page'], settings());
    expect((await check())[0]).to.match(/1 key without an end: Laptop \([^ ]+\)$/);
    expect((await check())[1]).to.match(
      /^warn {2}admin keys {2}1 key for web pages belongs to administrators: Page \(/,
    );
    const [inEnvironment] = await check({ ADMIN_API_KEY: 'k'.repeat(32) });
    expect(inEnvironment).to.match(/^warn {2}admin keys {2}ADMIN_API_KEY is set/);
  });

  it('wants the way to the database encrypted, to the right server', async () => {
    const encryption = async (url: string) => {
      const { database } = readConfig({ DATABASE_URL: url });
      return (await checkTransport(database))[0]?.state;
    };
    for (const url of [
      'postgres://ada@db.example/shop?sslmode=verify-full',
      'postgres://ada@db.example/shop?ssl=true',
      'postgres://ada@db.example/shop?sslmode=require',
      'postgres://ada@127.0.0.1/shop',
      'postgres://ada@[::1]/shop',
      'postgres://ada@/shop?host=/var/run/postgresql',
      'mariadb://ada:x@db.example/shop?ssl=true',
      'mariadb://ada:x@localhost/shop',
      'mariadb://ada:x@[::1]/shop',
    ]) {
      expect(await encryption(url), url).to.equal('ok');
    }
    for (const url of [
      'postgres://ada@db.example/shop',
      'postgres://ada@db.example/shop?sslmode=disable',
      'postgres://ada@10.0.0.7/shop',
      'mariadb://ada:x@db.example/shop',
    ]) {
      expect(await encryption(url), url).to.equal('fail');
    }
    for (const query of ['sslmode=no-verify', 'sslmode=require&uselibpqcompat=true']) {
      expect(await encryption(`postgres://ada@db.example/shop?${query}`), query).to.equal('warn');
    }
    const { database } = readConfig({
      DATABASE_URL: 'postgres://ada@127.0.0.1/shop',
      DATABASE_REPLICA_URLS: 'postgres://ada@replica.example/shop',
    });
    expect(statesOf(await checkTransport(database))).to.deep.equal(['ok encryption', 'fail encryption']);
  });

  describe('looks for a backup', () => {
    const database = () => readConfig(settings()).database;
    const stateOfBackups = async (path: string | undefined, later = 0) =>
      (await checkBackups(database(), path, Date.now() + later))[0];
    const backups = (...names: string[]) => place('backups', ...names);
    before(async () => {
      mkdirSync(backups());
      expect((await stateOfBackups(backups()))?.message).to.equal(`${backups()} has no backup`);
      await runHere(['backup', backups('one.db')], settings());
    });

    it('and accepts one of the last day', async () => {
      expect(await stateOfBackups(backups())).to.include({ state: 'ok' });
      expect(await stateOfBackups(backups('one.db'), 25 * hour)).to.include({ state: 'ok' });
      expect(await stateOfBackups(backups(), 27 * hour)).to.include({ state: 'warn' });
      expect(await stateOfBackups(undefined)).to.include({ state: 'warn' });
    });

    it('and rejects a newer file that is none', async () => {
      const soon = new Date(Date.now() + hour);
      for (const [name, content] of [
        ['text.db', 'no database '.repeat(500)],
        ['empty.db', ''],
      ] as const) {
        writeFileSync(backups(name), content);
        utimesSync(backups(name), soon, soon);
        expect(await stateOfBackups(backups(name)), name).to.include({ state: 'fail' });
      }
      expect(await stateOfBackups(backups())).to.include({ state: 'fail' });
      expect(await stateOfBackups(place('no-folder'))).to.include({ state: 'fail' });
    });
  });

  describe('looks in a folder of backups', () => {
    const database = () => readConfig(settings()).database;
    const folder = (...names: string[]) => place('mixed', ...names);
    const found = async () => (await checkBackups(database(), folder()))[0];
    const inAnHour = new Date(Date.now() + hour);
    beforeEach(() => {
      rmSync(folder(), { recursive: true, force: true });
      mkdirSync(folder());
    });
    const write = (name: string, content: string) => {
      writeFileSync(folder(name), content);
      utimesSync(folder(name), inAnHour, inAnHour);
    };

    it('past logs, links to nothing and unfinished files', async () => {
      await runHere(['backup', folder('one.db')], settings());
      for (const name of ['backup.log', 'README', 'one.db-shm', 'two.db.17.unfinished']) write(name, '');
      write('notes', 'no backup');
      symlinkSync(place('nothing'), folder('latest'));
      expect(await found()).to.include({ state: 'ok' });
      write('two.db', 'no backup');
      expect(await found()).to.include({ state: 'fail' });
    });

    it('in folders of days, and leaves nothing beside a copy of a file in WAL mode', async () => {
      mkdirSync(folder('26'));
      copyFileSync(place('shop.db'), folder('26', 'shop.db'));
      for (const _ of [1, 2]) {
        expect(await found()).to.include({ state: 'ok' });
        expect(readdirSync(folder('26'))).to.deep.equal(['shop.db']);
      }
    });

    it('and never takes the database for a backup of itself', async () => {
      symlinkSync(place('shop.db'), folder('current.db'));
      expect((await found())?.message).to.equal(`${folder()} has no backup`);
    });

    it('and says that a compressed one was not checked', async () => {
      writeFileSync(folder('one.db.gz'), 'compressed');
      expect(await found()).to.include({ state: 'warn' });
      expect((await found())?.message).to.match(/one\.db\.gz, is 0 hours old, and compressed/);
    });
  });

  it('tells when the sandbox or a test key is used, with which no money moves', () => {
    const stripe = (secretKey: string) =>
      ({ provider: 'stripe', secretKey, apiBase: undefined, methods: ['card'], webhookSecrets: [] }) as const;
    expect(checkMoney({ provider: 'sandbox' })).to.include({ check: 'money', state: 'warn' });
    expect(checkMoney(stripe('sk_test_1')).state).to.equal('warn');
    expect(checkMoney(stripe('sk_live_1')).state).to.equal('ok');
  });

  it('compares the limit of the proxy with the time that Portico may take', () => {
    const times = { TRUST_PROXY: '1', REQUEST_TIMEOUT_MS: '5000', PAYMENT_TIMEOUT_MS: '8000' };
    // The longest wait that a client can ask for is 30 seconds.
    for (const [settings, longest] of [
      [times, 43_000],
      [{ ...times, MAX_WAITING: '0' }, 13_000],
    ] as const) {
      const state = (timeoutMs?: number) => statesOf(checkProxyTimeout(readConfig(settings), timeoutMs))[0];
      expect([state(longest + 1), state(longest), state()]).to.deep.equal([
        ...['ok proxy', 'fail proxy', 'warn proxy'],
      ]);
    }
    expect(checkProxyTimeout(readConfig({}), undefined)).to.deep.equal([]);
  });

  describe('tries the public address', () => {
    const servers: Server[] = [];
    after(() => Promise.all(servers.map(leave)));

    const answering = async (status: number, body: string) => {
      const server = createServer((_, response) => response.writeHead(status).end(body)).listen(
        0,
        '127.0.0.1',
      );
      servers.push(server);
      await new Promise((resolve) => server.once('listening', resolve));
      return checkPublicUrl({ publicUrl: `http://127.0.0.1:${portOf(server)}` });
    };

    it('and finds Portico there', async () => {
      const server = await startApp(readConfig(settings()));
      try {
        expect(await checkPublicUrl({ publicUrl: server.url })).to.include({ state: 'ok' });
      } finally {
        await server.close();
      }
    });

    it('and finds a proxy that keeps back how the client came', async () => {
      const server = await startApp(readConfig({ ...settings(), TRUST_PROXY: '1' }));
      try {
        const finding = await checkPublicUrl({ publicUrl: server.url });
        expect(finding).to.include({ state: 'fail' });
        expect(finding.remedy).to.include('X-Forwarded-Proto');
      } finally {
        await server.close();
      }
    });

    it('and finds a path that is too long, as with /v1', async () => {
      const server = await startApp(readConfig(settings()));
      try {
        const finding = await checkPublicUrl({ publicUrl: `${server.url}/v1` });
        expect(finding).to.include({ state: 'fail' });
        expect(finding.message).to.match(/^Portico answers at .*, but has no \/v1\/products/);
        const encrypted = await checkPublicUrl({ publicUrl: server.url.replace('http:', 'https:') });
        expect(encrypted.message).to.match(/ does not answer: [\w ]+$/);
      } finally {
        await server.close();
      }
    });

    it('and finds a proxy that does not reach Portico, or redirects', async () => {
      for (const status of [502, 503, 504]) {
        const { state, message } = await answering(status, '<h1>Bad gateway</h1>');
        expect([state, message]).to.satisfy(
          ([what, text]: readonly string[]) => what === 'fail' && / does not reach Portico/.test(text ?? ''),
        );
      }
      expect((await answering(308, '')).message).to.match(/ redirects requests to another address$/);
    });

    it('and finds something else, or nothing', async () => {
      expect(await answering(200, '<h1>Welcome</h1>')).to.include({ state: 'fail' });
      expect(await answering(301, '')).to.include({ state: 'fail' });
      const taken = await occupy();
      const port = portOf(taken);
      await leave(taken);
      expect(await checkPublicUrl({ publicUrl: `http://127.0.0.1:${port}` })).to.include({ state: 'warn' });
      expect(await checkPublicUrl({ publicUrl: undefined })).to.include({ state: 'warn' });
      expect(await checkPublicUrl({ publicUrl: 'http://shop.example' })).to.include({ state: 'fail' });
    });
  });
});
