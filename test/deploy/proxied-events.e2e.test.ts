import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { freePort } from '../bootstrap/support/ports.ts';
import { Listening, path } from '../http/provider-events/listening.ts';
import { certificate } from '../http/support/certificate.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { until } from '../support/until.ts';
import { proxies, withProxy } from './example-proxies.ts';
import { has } from './programs.ts';

/** Bytes that a proxy could change if it read them: spaces, line ends, and letters beyond ASCII. */
const event = Buffer.from('{ "type" :"refund.failed",\r\n "é":"\u2028" }\n');
const signature = 't=1795600000,v1=0f,v1=f0';

describe('Events of the payment provider that come through a proxy', () => {
  const place = temporaryFolder();
  let listening: Listening;
  /** In place of the API, and of the health of both listeners. */
  let api: Server;
  const asked: string[] = [];
  before(async () => {
    listening = await Listening.open({ TRUST_PROXY: '1' });
    api = createServer((message, response) => {
      if (message.url !== '/readyz') asked.push(`${message.method} ${message.url}`);
      response.end('api');
    }).listen(0, '127.0.0.1');
    await once(api, 'listening');
  });
  after(async () => {
    await listening.close();
    api.close();
    api.closeAllConnections();
  });
  beforeEach(() => {
    listening.received.splice(0);
    asked.splice(0);
  });

  const ask = (port: number, method: string, target: string, body: Uint8Array | string = '') =>
    new Promise<{ readonly status: number; readonly text: string }>((resolve, reject) => {
      const headers = { 'Stripe-Signature': signature, 'Content-Type': 'application/json; charset=utf-8' };
      const options = { host: '127.0.0.1', port, path: target, method, headers, ca: certificate.cert };
      const respond = async (response: IncomingMessage) =>
        resolve({ status: response.statusCode ?? 0, text: await text(response) });
      request({ ...options, agent: false }, respond)
        .on('error', reject)
        .end(body);
    });

  for (const [name, proxied] of Object.entries(proxies))
    it(`arrive as they were sent, and nothing else does: ${name}${has(proxied.program) ? '' : ' (skipped: it is not installed)'}`, async function () {
      if (!has(proxied.program)) this.skip();
      const proxy = await freePort();
      const ports = {
        proxy,
        api: (api.address() as AddressInfo).port,
        events: Number(new URL(listening.url).port),
        pages: await freePort(),
      };
      await withProxy(proxied, place, ports, async (said) => {
        const isUp = () => ask(proxy, 'GET', '/v1/products').catch(() => ({ status: 0, text: said() }));
        await until(isUp, ({ status }) => status === 200);
        const sent = () => ask(proxy, 'POST', path, event);
        // HAProxy checks each listener for a moment.
        await until(sent, ({ status }) => status === 204);
        const [received] = listening.received;
        expect(Buffer.from(received?.body ?? []).equals(event)).to.equal(true);
        expect(received?.headers).to.include({ 'stripe-signature': signature });
        const long = Buffer.alloc(200 * 1024, ' ');
        expect((await ask(proxy, 'POST', path, long)).status).to.equal(204);
        expect(listening.received.at(-1)?.body).to.have.lengthOf(long.length);
        const count = listening.received.length;
        asked.splice(0);
        for (const other of ['/v1/orders', '/provider-events/', '/provider-events/x', '/'])
          expect((await ask(proxy, 'POST', other, event)).text).to.equal('api');
        expect(asked).to.have.lengthOf(4);
        expect(listening.received).to.have.lengthOf(count);
        expect((await ask(proxy, 'GET', path)).status).to.equal(405);
      });
    });
});
