import { execFileSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { copyFile, mkdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { connect } from 'node:tls';
import { expect } from 'chai';
import { watchCertificate } from '#adapters/system/certificate-watcher.ts';
import { type App, startApp } from '#bootstrap/composition/app.ts';
import { readConfig } from '#bootstrap/config/config.ts';
import { freePort } from '../../bootstrap/support/ports.ts';
import type { Program } from '../../bootstrap/support/program.ts';
import { startServer } from '../../bootstrap/support/server.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { until } from '../../support/until.ts';
import { certificate } from '../support/certificate.ts';

const day = 86_400_000;

/** The test's interval between two checks of the files. */
const pollIntervalMs = 50;

/** The serial number of the certificate that a new connection gets. */
const shownAt = (url: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const { port, hostname } = new URL(url);
    const socket = connect({ host: hostname, port: Number(port), rejectUnauthorized: false }, () => {
      resolve(socket.getPeerCertificate().serialNumber);
      socket.destroy();
    }).once('error', reject);
  });

describe('A certificate', () => {
  const place = temporaryFolder();
  const running: App[] = [];
  const programs: Program[] = [];
  afterEach(async () => {
    await Promise.all(running.splice(0).map((app) => app.close()));
    await Promise.all(programs.splice(0).map((program) => program.kill()));
  });

  const start = async (
    certFile: string,
    keyFile: string,
    more: Readonly<Record<string, string>> = {},
  ): Promise<App> => {
    const app = await startApp(
      readConfig({
        DATABASE_URL: 'memory:',
        PORT: '0',
        OPS_PORT: '0',
        LOG_LEVEL: 'silent',
        TLS_CERT_FILE: certFile,
        TLS_KEY_FILE: keyFile,
        ...more,
      }),
      { timing: { certificatePollIntervalMs: pollIntervalMs } },
    );
    running.push(app);
    return app;
  };

  /** Copies two pairs of certificate and key, each to a folder of its own. */
  const pairs = async (name: string) => {
    const of = async (folder: string, cert: string, key: string) => {
      await mkdir(place(name, folder), { recursive: true });
      await copyFile(cert, place(name, folder, 'cert.pem'));
      await copyFile(key, place(name, folder, 'key.pem'));
    };
    await of('one', certificate.certFile, certificate.keyFile);
    await of('other', certificate.anotherCertFile, certificate.anotherKeyFile);
  };

  const shows = (app: App, isSo: (serial: string) => boolean) => until(() => shownAt(app.url), isSo, 8_000);

  it('is replaced for new connections when its files are replaced', async () => {
    await pairs('copied');
    const app = await start(place('copied', 'one', 'cert.pem'), place('copied', 'one', 'key.pem'));
    const before = await shownAt(app.url);
    for (const name of ['cert.pem', 'key.pem']) {
      await rename(place('copied', 'other', name), place('copied', 'one', name));
    }
    await shows(app, (serial) => serial !== before);
  });

  it('is replaced for events of the payment provider, too', async () => {
    await pairs('events');
    const app = await start(place('events', 'one', 'cert.pem'), place('events', 'one', 'key.pem'), {
      ...{ PAYMENT_PROVIDER: 'stripe', STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_WEBHOOK_SECRETS: 'whsec_1' },
      PROVIDER_EVENTS_PORT: `${await freePort()}`,
    });
    const shown = () => shownAt(app.providerEventsUrl ?? '');
    const before = await shown();
    expect(app.providerEventsUrl).to.match(/^https:/);
    for (const name of ['cert.pem', 'key.pem']) {
      await rename(place('events', 'other', name), place('events', 'one', name));
    }
    await until(shown, (serial) => serial !== before, 8_000);
  });

  it('may be replaced by changing a symbolic link', async () => {
    await pairs('linked');
    await symlink('one', place('linked', 'current'));
    const app = await start(place('linked', 'current', 'cert.pem'), place('linked', 'current', 'key.pem'));
    const before = await shownAt(app.url);
    await symlink('other', place('linked', 'next'));
    await rename(place('linked', 'next'), place('linked', 'current'));
    await shows(app, (serial) => serial !== before);
  });

  it('stays in use while the new one is invalid, missing, a pipe, or incomplete', async () => {
    await pairs('half');
    const [cert, key] = [place('half', 'one', 'cert.pem'), place('half', 'one', 'key.pem')];
    const app = await start(cert, key);
    const before = await shownAt(app.url);
    const expectUnchanged = async () => {
      // Longer than the poll interval of the files.
      const end = performance.now() + 6 * pollIntervalMs;
      await until(
        async () => {
          expect(await shownAt(app.url)).to.equal(before);
          return performance.now();
        },
        (now) => now > end,
      );
    };
    for (const text of ['Not a certificate.', '']) {
      await writeFile(cert, text);
      await expectUnchanged();
    }
    await rename(cert, `${cert}.away`);
    await expectUnchanged();
    execFileSync('mkfifo', [cert]);
    await expectUnchanged();
    await rm(cert);
    await copyFile(certificate.anotherCertFile, cert);
    await expectUnchanged();
    await writeFile(key, await readFile(certificate.anotherKeyFile));
    await shows(app, (serial) => serial !== before);
  });

  it('that has expired causes a warning at the start and when it is loaded', async () => {
    await pairs('expired');
    const [cert, key] = [place('expired', 'one', 'cert.pem'), place('expired', 'one', 'key.pem')];
    const settings = { DATABASE_URL: 'memory:', TLS_CERT_FILE: cert, TLS_KEY_FILE: key };
    /** Starts a server. @returns reads what it logs */
    const start = async () => {
      const { program } = await startServer(settings);
      programs.push(program);
      return () =>
        until(
          async () => program.errors.split('\n').slice(0, -1),
          ({ length }) => length > 0,
          8_000,
        );
    };
    const before = await start();
    // Replaced atomically: half of a file would cause an error too.
    await copyFile(certificate.expiredCertFile, `${cert}.new`);
    await rename(`${cert}.new`, cert);
    const [taken, ...others] = await before();
    const [atStart] = await (await start())();
    expect(others).to.deep.equal([]);
    for (const line of [taken, atStart]) {
      expect(JSON.parse(line ?? '')).to.include({
        level: 40,
        msg: 'The certificate has expired on 2026-01-01T00:00:00.000Z.',
      });
    }
  }).timeout(60_000);

  it('causes a daily warning from 14 days before its expiry, and one when it has expired', async () => {
    const { validFromDate, validToDate } = new X509Certificate(certificate.cert);
    const [begin, end] = [validFromDate.toISOString(), validToDate.toISOString()];
    const { cert, key, certFile, keyFile } = certificate;
    let now = validToDate.getTime() - 15 * day;
    let polls = 0;
    const countingClock = () => {
      polls += 1;
      return now;
    };
    const messages: string[] = [];
    const fail = (error: unknown) => messages.push(String(error));
    const following = watchCertificate(
      { cert, key, certFile, keyFile },
      { use: fail, report: fail, warn: (says) => messages.push(says) },
      { pollIntervalMs, now: countingClock },
    );
    /** The messages of the next two polls. */
    const at = async (time: number) => {
      now = time;
      const before = polls;
      await until(
        async () => polls,
        (count) => count >= before + 2,
      );
      return messages.splice(0);
    };
    expect(await at(now)).to.deep.equal([]);
    const soon = validToDate.getTime() - 13.5 * day;
    expect(await at(soon)).to.deep.equal([`expires on ${end}`]);
    expect(await at(soon + day - 1)).to.deep.equal([]);
    expect(await at(soon + day)).to.deep.equal([`expires on ${end}`]);
    expect(await at(validToDate.getTime())).to.deep.equal([`has expired on ${end}`]);
    expect(await at(validFromDate.getTime() - 1)).to.deep.equal([`is not valid before ${begin}`]);
    following.stop();
  }).timeout(30_000);
});
