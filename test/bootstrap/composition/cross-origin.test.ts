import { request } from 'node:http';
import { request as secureRequest } from 'node:https';
import { expect } from 'chai';
import { startApp } from '#bootstrap/composition/app.ts';
import { readConfig } from '#bootstrap/config/config.ts';
import { crossOriginAt } from '#bootstrap/config/cross-origin.ts';
import { tls } from '../../http/support/certificate.ts';
import { freePort } from '../support/ports.ts';

/** The allowed origin in the response to a request without a key. The certificate is one of the tests. */
const allowedOriginAt = (url: string): Promise<string | undefined> =>
  new Promise((resolve, reject) => {
    const send = url.startsWith('https:') ? secureRequest : request;
    const sent = send(`${url}/v1/products`, { rejectUnauthorized: false, agent: false }, (response) => {
      response.resume();
      resolve(response.headers['access-control-allow-origin']);
    });
    sent.on('error', reject);
    sent.end();
  });

const settings = { DATABASE_URL: 'memory:', PORT: '0', OPS_PORT: '0', LOG_LEVEL: 'silent' };

describe('The origin that browsers may call from', () => {
  const originOf = async (environment: Readonly<Record<string, string>>, find = (url: string) => url) => {
    const app = await startApp(readConfig({ ...settings, ...environment }));
    try {
      return { ...app, allowed: await allowedOriginAt(find(app.url)) };
    } finally {
      await app.close();
    }
  };

  it('is by default that of the port which was selected', async () => {
    for (const environment of [{}, tls, { HOST: '::1' }, { HOST: '::1', ...tls }, { HOST: '127.0.0.53' }]) {
      const { url, allowed } = await originOf(environment);
      expect(new URL(url).port).to.match(/^[1-9]\d+$/);
      expect(allowed).to.equal(new URL(url).origin);
    }
  });

  it('is the one at 127.0.0.1 where the server listens on all addresses', async () => {
    for (const HOST of ['0.0.0.0', '::']) {
      const find = (url: string) => `http://127.0.0.1:${new URL(url).port}`;
      const { url, allowed } = await originOf({ HOST, TRUST_PROXY: '1' }, find);
      expect(allowed, HOST).to.equal(find(url));
    }
  });

  it('is the same on every listener', async () => {
    const [opsPort, pagesPort] = [await freePort(), await freePort()];
    const environment = { ...settings, OPS_PORT: `${opsPort}`, PAGES_PORT: `${pagesPort}` };
    const app = await startApp(readConfig(environment));
    try {
      for (const url of [app.url, app.opsUrl ?? '', app.pagesUrl ?? '']) {
        expect(await allowedOriginAt(url), url).to.equal(app.url);
      }
    } finally {
      await app.close();
    }
  });

  it('is another one where CORS_ORIGIN names it', async () => {
    const CORS_ORIGIN = 'https://shop.example';
    expect((await originOf({ CORS_ORIGIN })).allowed).to.equal(CORS_ORIGIN);
    expect((await originOf({ CORS_ORIGIN: '' })).allowed).to.match(/^http:\/\/127\.0\.0\.1:[1-9]\d+$/);
  });

  it('is written as browsers write it, without a default port', () => {
    expect(readConfig({ PORT: '80' }).crossOrigin.origin).to.equal('http://127.0.0.1');
    expect(readConfig({ PORT: '443' }).crossOrigin.origin).to.equal('http://127.0.0.1:443');
    expect(readConfig({ PORT: '443', ...tls }).crossOrigin.origin).to.equal('https://127.0.0.1');
    const { crossOrigin } = readConfig({});
    for (const [url, origin] of [
      ['http://127.0.0.1:80', 'http://127.0.0.1'],
      ['https://127.0.0.1:443', 'https://127.0.0.1'],
      ['http://[::1]:80', 'http://[::1]'],
      ['https://[2001:db8:0:0::1]:8443', 'https://[2001:db8::1]:8443'],
      ['http://[::]:80', 'http://127.0.0.1'],
      ['https://0.0.0.0:443', 'https://127.0.0.1'],
    ] as const) {
      expect(crossOriginAt(crossOrigin, url).origin, url).to.equal(origin);
    }
  });
});
