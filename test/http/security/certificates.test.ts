import { X509Certificate } from 'node:crypto';
import { copyFile, mkdir, readFile, rename, symlink, writeFile } from 'node:fs/promises';
import { connect } from 'node:tls';
import { expect } from 'chai';
import { watchCertificate } from '#adapters/system/certificate-watcher.ts';
import { type App, startApp } from '#bootstrap/composition/app.ts';
import { readConfig } from '#bootstrap/config/config.ts';
import { freePort } from '../../bootstrap/support/ports.ts';
import { FlowingTime } from '../../support/flowing-time.ts';
import { ofEachTest } from '../../support/of-each-test.ts';
import { SimulatedTime } from '../../support/simulated-time.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { turnsUntil } from '../../support/turns.ts';
import { certificate } from '../support/certificate.ts';

const day = 86_400_000;

/** The interval between two checks of the files. */
const pollIntervalMs = 1_000;

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
  let time: FlowingTime;
  beforeEach(() => {
    time = new FlowingTime();
  });
  afterEach(async () => {
    await Promise.all(running.splice(0).map((app) => app.close()));
    time.end();
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

  const shows = (app: App, isSo: (serial: string) => boolean) => time.until(() => shownAt(app.url), isSo);

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
    await time.until(shown, (serial) => serial !== before);
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

  it('stays in use while the new one is invalid, missing, or incomplete', async () => {
    await pairs('half');
    const [cert, key] = [place('half', 'one', 'cert.pem'), place('half', 'one', 'key.pem')];
    const app = await start(cert, key);
    const before = await shownAt(app.url);
    const expectUnchanged = async () => {
      for (let poll = 0; poll < 6; poll += 1) {
        await time.pass(pollIntervalMs);
        expect(await shownAt(app.url)).to.equal(before);
      }
    };
    for (const text of ['Not a certificate.', '']) {
      await writeFile(cert, text);
      await expectUnchanged();
    }
    await rename(cert, `${cert}.away`);
    await expectUnchanged();
    await copyFile(certificate.anotherCertFile, cert);
    await expectUnchanged();
    await writeFile(key, await readFile(certificate.anotherKeyFile));
    await shows(app, (serial) => serial !== before);
  });
});

describe('The watch over the files of a certificate', () => {
  const time = ofEachTest(() => new SimulatedTime());

  it('checks them every second, and causes a daily warning from 14 days before its expiry, and one when it has expired', async () => {
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
      { now: countingClock },
    );
    /** The messages of the next two polls. */
    const at = async (then: number) => {
      now = then;
      for (const before of [polls, polls + 1]) {
        await time.pass(pollIntervalMs - 100);
        expect(polls).to.equal(before);
        await time.pass(100);
        await turnsUntil(() => polls === before + 1);
      }
      return messages.splice(0);
    };
    await turnsUntil(() => polls === 1);
    expect(await at(now)).to.deep.equal([]);
    const soon = validToDate.getTime() - 13.5 * day;
    expect(await at(soon)).to.deep.equal([`expires on ${end}`]);
    expect(await at(soon + day - 1)).to.deep.equal([]);
    expect(await at(soon + day)).to.deep.equal([`expires on ${end}`]);
    expect(await at(validToDate.getTime())).to.deep.equal([`has expired on ${end}`]);
    expect(await at(validFromDate.getTime() - 1)).to.deep.equal([`is not valid before ${begin}`]);
    following.stop();
  });
});
