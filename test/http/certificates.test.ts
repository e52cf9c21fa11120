import { copyFile, mkdir, readFile, rename, symlink, writeFile } from 'node:fs/promises';
import { connect } from 'node:tls';
import { expect } from 'chai';
import { type App, startApp } from '#bootstrap/app.ts';
import { readConfig } from '#bootstrap/config.ts';
import { temporaryFolder } from '../temporary.ts';
import { certificate } from './certificate.ts';
import { until } from './until.ts';

/** The serial number of the certificate that a new connection is shown. */
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
  afterEach(async () => {
    await Promise.all(running.splice(0).map((app) => app.close()));
  });

  const start = async (certFile: string, keyFile: string): Promise<App> => {
    const app = await startApp(
      readConfig({
        DATABASE_URL: 'memory:',
        PORT: '0',
        OPS_PORT: '0',
        LOG_LEVEL: 'silent',
        TLS_CERT_FILE: certFile,
        TLS_KEY_FILE: keyFile,
      }),
    );
    running.push(app);
    return app;
  };

  /** Two pairs, each in a folder of its own. */
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

  it('that another has taken the place of is no longer shown to whoever connects', async () => {
    await pairs('copied');
    const app = await start(place('copied', 'one', 'cert.pem'), place('copied', 'one', 'key.pem'));
    const before = await shownAt(app.url);
    for (const name of ['cert.pem', 'key.pem']) {
      await rename(place('copied', 'other', name), place('copied', 'one', name));
    }
    await shows(app, (serial) => serial !== before);
  });

  it('may be replaced by turning a link', async () => {
    await pairs('linked');
    await symlink('one', place('linked', 'current'));
    const app = await start(place('linked', 'current', 'cert.pem'), place('linked', 'current', 'key.pem'));
    const before = await shownAt(app.url);
    await symlink('other', place('linked', 'next'));
    await rename(place('linked', 'next'), place('linked', 'current'));
    await shows(app, (serial) => serial !== before);
  });

  it('goes on as long as the new one is broken, missing, or only half there', async () => {
    await pairs('half');
    const [cert, key] = [place('half', 'one', 'cert.pem'), place('half', 'one', 'key.pem')];
    const app = await start(cert, key);
    const before = await shownAt(app.url);
    const looks = async () => {
      // Longer than it takes to find a good pair.
      const end = performance.now() + 1_500;
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
      await looks();
    }
    await rename(cert, `${cert}.away`);
    await looks();
    await copyFile(certificate.anotherCertFile, cert);
    await looks();
    await writeFile(key, await readFile(certificate.anotherKeyFile));
    await shows(app, (serial) => serial !== before);
  });
});
