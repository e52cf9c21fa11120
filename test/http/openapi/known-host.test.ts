import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import type { App } from '#bootstrap/composition/app.ts';
import { appsOfEachTest } from '../../bootstrap/support/apps.ts';
import { operatorKey } from '../../bootstrap/support/server-settings.ts';

const paths = [
  '/livez',
  '/readyz',
  '/metrics',
  '/metrics?a=b',
  '/',
  '/docs',
  '/docs/api',
  '/docs/assets/page.ts',
  '/openapi.json',
  '/v1/products',
  '/none',
];

describe('The Host header on the listener for operators', () => {
  const apps = appsOfEachTest({ OPS_PORT: '' });
  let app: App;
  const start = async (environment: Readonly<Record<string, string>> = {}): Promise<void> => {
    ({ app } = await apps.start(environment));
  };

  /** @param head the request line and the headers @returns the whole response */
  const send = async (...head: readonly string[]): Promise<string> => {
    const { port } = new URL(app.opsUrl ?? '');
    const socket = connect(Number(port), '127.0.0.1');
    socket.write(`${head.join('\r\n')}\r\nAuthorization: Bearer ${operatorKey}\r\nConnection: close\r\n\r\n`);
    return text(socket);
  };
  const statusOf = (response: string): number => Number(response.slice(9, 12));

  const request = async (path: string, host: string, method = 'GET'): Promise<number> =>
    statusOf(await send(`${method} ${path} HTTP/1.1`, `Host: ${host}`));

  for (const path of paths) {
    it(`lets no other name read a path (${path})`, async () => {
      await start();
      for (const method of ['GET', 'HEAD', 'POST', 'OPTIONS']) {
        expect(await request(path, 'rebound.example:9090', method), method).to.equal(403);
      }
      expect(await request(path, '127.0.0.1')).not.to.equal(403);
    });
  }

  it('says what to do, and shows nothing else', async () => {
    await start();
    const response = await send('GET /metrics HTTP/1.1', 'Host: rebound.example');
    expect(response)
      .to.match(/\nThe Host header [^\n]*OPS_ALLOWED_HOSTS\.\n/)
      .and.not.include('portico_')
      .and.not.include('rebound');
  });

  it('shows the demonstration keys to no other name', async () => {
    await start({ SEED_DEMO: '1', ADMIN_API_KEY: '' });
    expect(await request('/docs/keys.json', 'rebound.example')).to.equal(403);
    expect(await request('/docs/keys.json', 'localhost')).to.equal(200);
  });

  it('must be a host, whatever a URL makes of it', async () => {
    await start({ OPS_HOST: '::1', OPS_ALLOWED_HOSTS: 'metrics.internal' });
    const { port } = new URL(app.opsUrl ?? '');
    for (const host of [
      ...['rebound@localhost', 'localhost/x', 'localhost?x', 'localhost#x', 'localhost\\x', 'local host'],
      ...['user@metrics.internal', '::1', '[::1', 'localhost:a', 'x y'],
    ]) {
      const socket = connect(Number(port), '::1');
      socket.write(`GET /metrics HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
      expect(statusOf(await text(socket)), host).to.equal(403);
    }
  });

  it('may be an address, localhost, or absent', async () => {
    await start();
    for (const host of [
      '127.0.0.1:9090',
      '10.1.2.3',
      '[::1]:9090',
      '[fd00::7]',
      'LocalHost:9090',
      'localhost.',
      '',
    ]) {
      expect(await request('/livez', host), host).to.equal(200);
    }
    expect(statusOf(await send('GET /readyz HTTP/1.0'))).to.equal(200);
  });

  it('may be no name that only resembles an address or localhost', async () => {
    await start();
    for (const host of [
      '127.0.0.1.rebound.example',
      'localhost.rebound.example',
      'rebound.example#localhost',
      'rebound.example\\@localhost',
      'localhost@rebound.example',
      'xlocalhost',
      'rebound.example, localhost',
      '%',
      '[::1',
    ]) {
      expect(await request('/metrics', host), host).to.be.oneOf([400, 403]);
    }
    expect(
      statusOf(await send('GET /metrics HTTP/1.1', 'Host: rebound.example', 'Host: localhost')),
    ).to.equal(403);
  });

  it('may be a name in OPS_ALLOWED_HOSTS, however it is written, and OPS_HOST', async () => {
    await start({ OPS_HOST: 'localhost', OPS_ALLOWED_HOSTS: 'portico-1, Metrics.Internal.,bücher.example' });
    for (const host of [
      'portico-1:9090',
      'PORTICO-1',
      'metrics.internal',
      'metrics.internal.',
      'xn--bcher-kva.example',
    ]) {
      expect(await request('/metrics', host), host).to.equal(200);
    }
    for (const host of ['portico', 'portico-1.rebound.example', 'internal', 'rebound.example']) {
      expect(await request('/metrics', host), host).to.equal(403);
    }
  });
});
