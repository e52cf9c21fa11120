import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { Server } from 'node:net';
import { expect } from 'chai';
import { migrate } from '#adapters/persistence/schema/migrate.ts';
import { sqliteMigrations } from '#adapters/persistence/schema/migrations/sqlite/all.ts';
import { sqliteOrm } from '#adapters/persistence/sqlite/orm.ts';
import { checkCertificate } from '#bootstrap/cli/doctor/certificate.ts';
import { checkDatabase, clocks } from '#bootstrap/cli/doctor/database.ts';
import { checkDisk } from '#bootstrap/cli/doctor/disk.ts';
import type { Finding } from '#bootstrap/cli/doctor/finding.ts';
import { checkNode } from '#bootstrap/cli/doctor/node.ts';
import { checkPorts } from '#bootstrap/cli/doctor/ports.ts';
import { checkProvider } from '#bootstrap/cli/doctor/provider.ts';
import { startApp } from '#bootstrap/composition/app.ts';
import { readConfig } from '#bootstrap/config/config.ts';
import { certificate } from '../../http/support/certificate.ts';
import { StripeProcess } from '../../stripe/stripe-process.ts';
import { type Database, freshDatabase } from '../../support/postgres.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { ending, portico } from '../support/portico.ts';
import { freePort, leave, occupy, portOf } from '../support/ports.ts';

const day = 86_400_000;

const told = (findings: readonly Finding[]): string[] =>
  findings.map(({ check, state, says }) => `${state} ${check}: ${says}`);

describe('The doctor', () => {
  const place = temporaryFolder();
  let database: Database;
  let taken: Server;
  before(async () => {
    database = await freshDatabase();
    taken = await occupy();
    taken.on('connection', (socket) => socket.destroy());
  });
  after(async () => {
    await leave(taken);
    await database.drop();
  });

  const examine = async (settings: Readonly<Record<string, string>>) => {
    const { code, output } = await ending(portico(['doctor', '--json'], { settings, folder: place() }));
    return { code, findings: JSON.parse(output) as Finding[] };
  };

  it('finds nothing wrong where nothing is, and makes nothing', async () => {
    const [port, opsPort] = [await freePort(), await freePort()];
    const settings = {
      DATABASE_URL: `sqlite:${place('new', 'a.db')}`,
      PORT: `${port}`,
      OPS_PORT: `${opsPort}`,
    };
    const { code, findings } = await examine(settings);
    expect(code).to.equal(0);
    expect(findings.map(({ check, state }) => `${state} ${check}`)).to.deep.equal([
      ...['ok node', 'ok settings', 'ok database', 'ok migrations', 'ok clock', 'ok disk', 'ok port'],
      ...['ok ops port', 'ok tls', 'ok provider'],
    ]);
    expect(findings[2]?.says).to.include('is empty yet');
    const text = await ending(portico(['doctor'], { settings, folder: place() }));
    expect(text.output.match(/^ok /gm)).to.have.lengthOf(10);
    expect((await examine(settings)).findings[2]?.says).to.include('is empty yet');
  });

  it('says all that is wrong at once, what to do about it, and no secret', async () => {
    const settings = {
      DATABASE_URL: 'postgres://ada:a-secret@127.0.0.1:1/shop',
      PORT: `${portOf(taken)}`,
      OPS_PORT: '0',
      PAYMENT_PROVIDER: 'stripe',
      STRIPE_SECRET_KEY: 'sk_test_a_secret',
      STRIPE_API_BASE: 'http://127.0.0.1:1',
      ADMIN_API_KEY: `a-secret-${'x'.repeat(32)}`,
    };
    const { code, findings } = await examine(settings);
    expect(code).to.equal(1);
    const failed = findings.filter(({ state }) => state === 'fail');
    expect(failed.map(({ check }) => check)).to.deep.equal(['database', 'port', 'provider']);
    for (const { remedy } of failed) expect(remedy).to.match(/^[A-Z].*\.$/);
    expect(failed[0]?.says).to.match(/^127\.0\.0\.1:1\/shop cannot be used: .*ECONNREFUSED/);
    expect(JSON.stringify(findings)).to.not.match(/a.secret/);
  });

  it('names the setting that cannot be used', async () => {
    const { code, findings } = await examine({ PORT: 'any' });
    expect(code).to.equal(1);
    expect(told(findings).slice(1)).to.deep.equal(['fail settings: PORT takes a port from 0 to 65535.']);
  });

  it('knows which Node is too old', () => {
    expect(checkNode('24.0.0').state).to.equal('ok');
    expect(checkNode('20.20.2').state).to.equal('fail');
  });

  it('tells a database that is up to date from one that is not, or is too new', async () => {
    const { url } = database;
    const postgres = { kind: 'postgres', url } as const;
    expect(told(await checkDatabase(postgres))).to.include('ok migrations: the first start makes the tables');
    await (await startApp(readConfig({ DATABASE_URL: url, PORT: '0', OPS_PORT: '0' }))).close();
    const [found, ...others] = await checkDatabase(postgres);
    expect(found?.says).to.match(/^PostgreSQL \d+\S* at \S+\/portico_\d+_\d+ answers$/);
    expect(told(others)).to.deep.equal([
      'ok migrations: the tables are up to date',
      "ok clock: this machine's time is the database's",
    ]);
    await database.query("insert into mikro_orm_migrations (name) values ('9999-later')");
    expect((await checkDatabase(postgres))[1]).to.include({ check: 'migrations', state: 'warn' });

    const file = place('old.db');
    const orm = sqliteOrm(file, 1000);
    await migrate(orm, sqliteMigrations.slice(0, 1), true);
    await orm.close();
    const [, old] = await checkDatabase({ kind: 'sqlite', url: `sqlite:${file}`, file });
    expect(old).to.include({ state: 'warn' });
    expect(old?.says).to.match(/^not applied yet: 0002-/);

    writeFileSync(place('text.db'), 'no database '.repeat(500));
    const text = { kind: 'sqlite', url: '', file: place('text.db') } as const;
    expect((await checkDatabase(text))[0]).to.include({ state: 'fail' });
    expect((await checkDatabase({ kind: 'memory', url: 'memory:' }))[0]).to.include({ state: 'warn' });
  });

  it('compares the clocks', () => {
    const now = Date.now();
    expect(clocks(now + 4_000, now).state).to.equal('ok');
    expect(clocks(now, now + 60_000).says).to.equal('this machine is 60 seconds ahead of the database');
    expect(clocks(now + 60_000, now).says).to.equal('this machine is 60 seconds behind the database');
  });

  it('sees whether the file can be written', async () => {
    const at = (file: string) => checkDisk({ kind: 'sqlite', url: '', file });
    expect((await at(place('not', 'there', 'yet', 'a.db')))[0]?.state).to.equal('ok');
    expect(await checkDisk({ kind: 'memory', url: 'memory:' })).to.deep.equal([]);
    if (process.platform === 'linux') {
      const [nowhere] = await at('/proc/nowhere/a.db');
      expect(nowhere).to.include({ state: 'fail', says: 'nothing can be kept in /proc' });
    }
    // Nothing is closed to root.
    if (process.getuid?.() === 0) return;
    mkdirSync(place('closed'));
    chmodSync(place('closed'), 0o555);
    expect((await at(place('closed', 'a.db')))[0]?.state).to.equal('fail');
  });

  it('tells its own server from somebody else’s', async () => {
    const tls = { TLS_CERT_FILE: certificate.certFile, TLS_KEY_FILE: certificate.keyFile };
    for (const more of [{}, tls]) {
      const [port, opsPort] = [await freePort(), await freePort()];
      const environment = { DATABASE_URL: 'memory:', PORT: `${port}`, OPS_PORT: `${opsPort}`, ...more };
      const config = readConfig(environment);
      expect(told(await checkPorts(config))).to.deep.equal([
        `ok port: ${port} on 127.0.0.1 is free`,
        `ok ops port: ${opsPort} on 127.0.0.1 is free`,
      ]);
      const app = await startApp(config);
      const served = told(await checkPorts(config));
      await app.close();
      expect(served).to.deep.equal([
        `ok port: ${port} on 127.0.0.1: a Portico serves there now`,
        `ok ops port: ${opsPort} on 127.0.0.1: a Portico serves there now`,
      ]);
    }
    const twice = await checkPorts(readConfig({ PORT: '4000', OPS_PORT: '4000' }));
    expect(told(twice)).to.deep.equal(['fail ops port: 4000 on 127.0.0.1 is the port of the API, too']);
    const shared = await freePort();
    const everywhere = { HOST: '0.0.0.0', TRUST_PROXY: '1', PORT: `${shared}`, OPS_PORT: `${shared}` };
    expect(told(await checkPorts(readConfig(everywhere)))).to.deep.equal([
      `ok port: ${shared} on 0.0.0.0 is free`,
      `fail ops port: ${shared} on 127.0.0.1 is the port of the API, too`,
    ]);
    const foreign = readConfig({ PORT: '0', OPS_HOST: '192.0.2.1', OPS_PORT: '9' });
    expect(told(await checkPorts(foreign))).to.deep.equal([
      'ok port: any that is free',
      'fail ops port: nothing can listen on 192.0.2.1 (EADDRNOTAVAIL)',
    ]);
  });

  it('does not listen for ever to somebody who does not end', async () => {
    let sent = 0;
    const babbler = createServer((_request, response) => {
      const go = (): void => {
        while (!response.destroyed && response.write('x'.repeat(4_096))) sent += 4_096;
        if (!response.destroyed) response.once('drain', go);
      };
      go();
    });
    babbler.listen(0, '127.0.0.1');
    await once(babbler, 'listening');
    const port = portOf(babbler);
    const before = performance.now();
    const [found] = await checkPorts(readConfig({ PORT: `${port}`, OPS_PORT: '0' }));
    expect(found?.says).to.equal(`${port} on 127.0.0.1 is somebody else's`);
    expect(performance.now() - before).to.be.below(2_500);
    expect(sent).to.be.below(16 * 1024 * 1024);
    babbler.closeAllConnections();
    babbler.close();
  });

  it('sees when a certificate ends', () => {
    const { certFile, keyFile } = certificate;
    const config = readConfig({ TLS_CERT_FILE: certFile, TLS_KEY_FILE: keyFile });
    const { validFromDate, validToDate } = new X509Certificate(certificate.cert);
    const at = (time: number) => checkCertificate(config, time).state;
    expect(at(Date.now())).to.equal('ok');
    expect(at(validToDate.getTime() - 15 * day)).to.equal('ok');
    expect(at(validToDate.getTime() - 13 * day)).to.equal('warn');
    expect(at(validToDate.getTime())).to.equal('fail');
    expect(at(validFromDate.getTime() - day)).to.equal('fail');
    expect(checkCertificate(readConfig({ HOST: '0.0.0.0', TRUST_PROXY: '1' })).state).to.equal('ok');
  });

  it('asks the provider whether it knows the key', async () => {
    const stripe = await StripeProcess.start();
    const asked = (secretKey: string) =>
      checkProvider({ provider: 'stripe', secretKey, apiBase: stripe.url }, 5_000);
    try {
      expect(await asked('sk_test_of_nobody')).to.deep.include({
        state: 'ok',
        says: 'Stripe knows the key, which is one for tests: no money moves',
      });
      const refused = await asked('no-key-of-theirs');
      expect(refused).to.include({ state: 'fail' });
      expect(refused.says)
        .to.match(/^Stripe does not know the key: /)
        .and.not.include('no-key-of-theirs');
    } finally {
      await stripe.stop();
    }
    expect((await checkProvider({ provider: 'sandbox' }, 5_000)).state).to.equal('ok');
  });
});
