import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { Server } from 'node:net';
import { expect } from 'chai';
import { checkDatabase, compareClocks } from '#bootstrap/cli/doctor/database.ts';
import { checkCertificate, checkPorts } from '#bootstrap/cli/doctor/listeners.ts';
import { checkDisk, checkNode } from '#bootstrap/cli/doctor/machine.ts';
import { startApp } from '#bootstrap/composition/app.ts';
import { readConfig } from '#bootstrap/config/config.ts';
import { certificate, tls } from '../../http/support/certificate.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { linesOf } from '../support/findings.ts';
import { runHere } from '../support/portico.ts';
import { freePort, leave, occupy, portOf } from '../support/ports.ts';

const day = 86_400_000;

/** A finding in the output of `doctor --json`. */
interface JsonFinding {
  readonly check: string;
  readonly state: string;
  readonly says: string;
  readonly remedy?: string;
}

describe('The doctor', () => {
  const place = temporaryFolder();
  let taken: Server;
  before(async () => {
    taken = await occupy();
    taken.on('connection', (socket) => socket.destroy());
  });
  after(() => leave(taken));

  const runDoctor = async (settings: Readonly<Record<string, string>>) => {
    const { code, output } = await runHere(['doctor', '--json'], settings);
    return { code, findings: JSON.parse(output) as JsonFinding[] };
  };

  it('reports no problem before the first start, and creates nothing', async () => {
    const [port, opsPort] = [await freePort(), await freePort()];
    const settings = {
      DATABASE_URL: `sqlite:${place('new', 'a.db')}`,
      PORT: `${port}`,
      OPS_PORT: `${opsPort}`,
      CORS_ORIGIN: 'http://localhost:5173',
      CORS_ALLOW_METHODS: 'GET, POST, PUT, PATCH, DELETE',
      CORS_ALLOW_HEADERS: 'Content-Type, Authorization, Idempotency-Key, If-Match, If-None-Match',
    };
    const { code, findings } = await runDoctor(settings);
    expect(code).to.equal(0);
    expect(findings.map(({ check, state }) => `${state} ${check}`)).to.deep.equal([
      ...['ok node', 'ok settings', 'ok database', 'ok migrations', 'ok clock', 'ok disk', 'ok port'],
      ...['ok ops port', 'ok tls', 'ok cors', 'ok webhooks', 'ok provider'],
    ]);
    expect(findings[2]?.says).to.include('is empty until the first start');
    const text = await runHere(['doctor'], settings);
    expect(text.output.match(/^ok /gm)).to.have.lengthOf(12);
    expect((await runDoctor(settings)).findings[2]?.says).to.include('is empty until the first start');
  });

  it('reports every failure with a remedy, and no secret', async () => {
    const settings = {
      DATABASE_URL: 'postgres://ada:a-secret@127.0.0.1:1/shop',
      PORT: `${portOf(taken)}`,
      OPS_PORT: '0',
      PAYMENT_PROVIDER: 'stripe',
      STRIPE_SECRET_KEY: 'sk_test_a_secret',
      STRIPE_API_BASE: 'http://127.0.0.1:1',
      ADMIN_API_KEY: `a-secret-${'x'.repeat(32)}`,
    };
    const { code, findings } = await runDoctor(settings);
    expect(code).to.equal(1);
    const failed = findings.filter(({ state }) => state === 'fail');
    expect(failed.map(({ check }) => check)).to.deep.equal(['database', 'port', 'provider']);
    for (const { remedy } of failed) expect(remedy).to.match(/^[A-Z].*\.$/);
    expect(failed[0]?.says).to.match(/^127\.0\.0\.1:1\/shop cannot be used: .*ECONNREFUSED/);
    expect(JSON.stringify(findings)).to.not.match(/a.secret/);
  });

  it('names an invalid setting', async () => {
    const { code, findings } = await runDoctor({ PORT: 'any' });
    expect(code).to.equal(1);
    expect(findings.slice(1).map(({ check, state, says }) => `${state} ${check}: ${says}`)).to.deep.equal([
      'fail settings: PORT must be a whole number from 0 to 65535.',
    ]);
  });

  it('rejects a Node that is too old', () => {
    expect(checkNode('24.0.0').state).to.equal('ok');
    expect(checkNode('20.20.2').state).to.equal('fail');
  });

  it('distinguishes a SQLite file that is older from one that is none', async () => {
    const file = place('old.db');
    const settings = { kind: 'sqlite', url: `sqlite:${file}`, file } as const;
    const older = {
      product: 'SQLite 3',
      exists: true,
      applied: ['0001-baseline'],
      unknown: [],
      now: Date.now(),
    };
    const [, old] = await checkDatabase(settings, async () => ({ ...older, pending: ['0002-coupons'] }));
    expect(old).to.include({ state: 'warn', message: 'pending: 0002-coupons' });

    writeFileSync(place('text.db'), 'no database '.repeat(500));
    const text = { kind: 'sqlite', url: '', file: place('text.db') } as const;
    expect((await checkDatabase(text))[0]).to.include({ state: 'fail' });
    expect((await checkDatabase({ kind: 'memory', url: 'memory:' }))[0]).to.include({ state: 'warn' });
  });

  it('compares the clocks of database and machine', () => {
    const now = Date.now();
    expect(compareClocks(now + 4_000, now).state).to.equal('ok');
    expect(compareClocks(now, now + 60_000).message).to.equal(
      'this machine is 60 seconds ahead of the database',
    );
    expect(compareClocks(now + 60_000, now).message).to.equal(
      'this machine is 60 seconds behind the database',
    );
  });

  it('checks that the file is writable', async () => {
    const at = (file: string) => checkDisk({ kind: 'sqlite', url: '', file });
    expect((await at(place('not', 'there', 'yet', 'a.db')))[0]?.state).to.equal('ok');
    expect(await checkDisk({ kind: 'memory', url: 'memory:' })).to.deep.equal([]);
    if (process.platform === 'linux') {
      const [nowhere] = await at('/proc/nowhere/a.db');
      expect(nowhere).to.include({ state: 'fail', message: '/proc cannot hold a database' });
    }
    // Root may write everywhere.
    if (process.getuid?.() === 0) return;
    mkdirSync(place('closed'));
    chmodSync(place('closed'), 0o555);
    expect((await at(place('closed', 'a.db')))[0]?.state).to.equal('fail');
  });

  it('distinguishes a Portico server from another program on a port', async () => {
    for (const more of [{}, tls]) {
      const [port, opsPort] = [await freePort(), await freePort()];
      const environment = {
        ...{ DATABASE_URL: 'memory:', PORT: `${port}`, OPS_PORT: `${opsPort}`, LOG_LEVEL: 'silent' },
        ...more,
      };
      const config = readConfig(environment);
      expect(linesOf(await checkPorts(config))).to.deep.equal([
        `ok port: ${port} on 127.0.0.1 is free`,
        `ok ops port: ${opsPort} on 127.0.0.1 is free`,
      ]);
      const app = await startApp(config);
      const served = linesOf(await checkPorts(config));
      await app.close();
      expect(served).to.deep.equal([
        `ok port: ${port} on 127.0.0.1 is in use by a Portico server`,
        `ok ops port: ${opsPort} on 127.0.0.1 is in use by a Portico server`,
      ]);
    }
    const eventsPort = await freePort();
    const events = readConfig({
      ...{ DATABASE_URL: 'memory:', PORT: '0', OPS_PORT: '0', LOG_LEVEL: 'silent' },
      ...{ PAYMENT_PROVIDER: 'stripe', STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_WEBHOOK_SECRETS: 'whsec_1' },
      PROVIDER_EVENTS_PORT: `${eventsPort}`,
    });
    const receiving = await startApp(events);
    const received = linesOf(await checkPorts(events));
    await receiving.close();
    expect(received[1]).to.equal(`ok events port: ${eventsPort} on 127.0.0.1 is in use by a Portico server`);
    const twice = await checkPorts(readConfig({ PORT: '4000', OPS_PORT: '4000' }));
    expect(linesOf(twice)).to.deep.equal([
      'fail ops port: 4000 on 127.0.0.1 is the port of another listener of Portico, too',
    ]);
    const shared = await freePort();
    const everywhere = { HOST: '0.0.0.0', TRUST_PROXY: '1', PORT: `${shared}`, OPS_PORT: `${shared}` };
    expect(linesOf(await checkPorts(readConfig(everywhere)))).to.deep.equal([
      `ok port: ${shared} on 0.0.0.0 is free`,
      `fail ops port: ${shared} on 127.0.0.1 is the port of another listener of Portico, too`,
    ]);
    const foreign = readConfig({ PORT: '0', OPS_HOST: '192.0.2.1', OPS_PORT: '9' });
    expect(linesOf(await checkPorts(foreign))).to.deep.equal([
      'ok port: any free port',
      'fail ops port: cannot listen on 192.0.2.1 (EADDRNOTAVAIL)',
    ]);
  });

  it('stops reading from a program that sends without end', async () => {
    let sent = 0;
    const endless = createServer((_request, response) => {
      const go = (): void => {
        while (!response.destroyed && response.write('x'.repeat(4_096))) sent += 4_096;
        if (!response.destroyed) response.once('drain', go);
      };
      go();
    });
    endless.listen(0, '127.0.0.1');
    await once(endless, 'listening');
    const port = portOf(endless);
    const [found] = await checkPorts(readConfig({ PORT: `${port}`, OPS_PORT: '0' }));
    expect(found?.message).to.equal(`${port} on 127.0.0.1 is in use by another program`);
    expect(sent).to.be.below(16 * 1024 * 1024);
    endless.closeAllConnections();
    endless.close();
  });

  it('warns before a certificate expires', () => {
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
});
