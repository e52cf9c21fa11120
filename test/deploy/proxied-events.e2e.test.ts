import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { freePort } from '../bootstrap/support/ports.ts';
import { Listening, path } from '../http/provider-events/listening.ts';
import { certificate } from '../http/support/certificate.ts';
import { killAtExit } from '../support/at-exit.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { until } from '../support/until.ts';
import { textOf, uncommented } from './files.ts';
import { has, programs } from './programs.ts';

const { certFile, keyFile } = certificate;

/** Bytes that a proxy could change if it read them: spaces, line ends, and letters beyond ASCII. */
const event = Buffer.from('{ "type" :"refund.failed",\r\n "é":"\u2028" }\n');
const signature = 't=1795600000,v1=0f,v1=f0';

/** The ports of the machine, in place of those of the example. */
interface Ports {
  readonly proxy: number;
  readonly api: number;
  readonly events: number;
}

const exampleOf = (file: string): string => uncommented(textOf(`docs/deploy/${file}`));

const proxies: Readonly<
  Record<
    string,
    {
      readonly program: string;
      readonly start: (place: (...names: string[]) => string, ports: Ports) => string[];
    }
  >
> = {
  nginx: {
    program: programs.nginx,
    start: (place, { proxy, api, events }) => {
      const example = exampleOf('nginx.conf')
        .replace('/etc/ssl/portico/fullchain.pem', certFile)
        .replace('/etc/ssl/portico/key.pem', keyFile)
        .replaceAll(/^ *http2 on;\n/gm, '')
        .replace('listen 443 ssl;', `listen 127.0.0.1:${proxy} ssl;`)
        .replace('listen [::]:443 ssl;', '')
        .replace(/\nserver \{\s+listen 80;[^}]*\}/, '')
        .replaceAll(/127\.0\.0\.1:300[01]\b/g, `127.0.0.1:${api}`)
        .replaceAll(/127\.0\.0\.1:310[01]\b/g, `127.0.0.1:${events}`);
      mkdirSync(place('nginx'), { recursive: true });
      const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
        .map((name) => `${name}_temp_path ${place('nginx', name)};`)
        .join('\n');
      const user = process.getuid?.() === 0 ? 'user root;\n' : '';
      const whole = `${user}pid ${place('nginx', 'pid')};\nevents {}\nhttp {\naccess_log off;\n${paths}\n${example}\n}\n`;
      writeFileSync(place('nginx.conf'), whole);
      return ['-g', 'daemon off;', '-e', 'stderr', '-c', place('nginx.conf')];
    },
  },
  HAProxy: {
    program: programs.haproxy,
    start: (place, { proxy, api, events }) => {
      writeFileSync(place('both.pem'), readFileSync(certFile, 'utf8') + readFileSync(keyFile, 'utf8'));
      const example = exampleOf('haproxy.cfg')
        .replace('/etc/ssl/portico/both.pem', place('both.pem'))
        .replace('bind :443', `bind 127.0.0.1:${proxy}`)
        .replaceAll(/127\.0\.0\.1:300[01]\b/g, `127.0.0.1:${api}`)
        .replaceAll(/127\.0\.0\.1:310[01]\b/g, `127.0.0.1:${events}`)
        .replaceAll(/check port 909[01]\b/g, `check port ${api}`);
      writeFileSync(place('haproxy.cfg'), example);
      return ['-db', '-f', place('haproxy.cfg')];
    },
  },
  Caddy: {
    program: programs.caddy,
    start: (place, { proxy, api, events }) => {
      const example = exampleOf('Caddyfile')
        .replace('{$SITE:localhost} {', `https://127.0.0.1:${proxy} {\n\ttls ${certFile} ${keyFile}`)
        .replaceAll(/portico-[12]:3000\b/g, `127.0.0.1:${api}`)
        .replaceAll(/portico-1:3100 portico-2:3100\b/g, `127.0.0.1:${events}`);
      const options = '{\n\tadmin off\n\tauto_https disable_redirects\n\tskip_install_trust\n}\n';
      writeFileSync(place('Caddyfile'), options + example);
      return ['run', '--adapter', 'caddyfile', '--config', place('Caddyfile')];
    },
  },
};

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

  for (const [name, { program, start }] of Object.entries(proxies))
    it(`arrive as they were sent, and nothing else does: ${name}${has(program) ? '' : ' (skipped: it is not installed)'}`, async function () {
      if (!has(program)) this.skip();
      const proxy = await freePort();
      const ports = {
        proxy,
        api: (api.address() as AddressInfo).port,
        events: Number(new URL(listening.url).port),
      };
      const env = { HOME: place() };
      let child: ChildProcess | undefined;
      let said = '';
      try {
        child = spawn(program, start(place, ports), { env, stdio: ['ignore', 'pipe', 'pipe'] });
        killAtExit(child);
        for (const stream of [child.stdout, child.stderr])
          stream?.on('data', (bytes) => {
            said += bytes;
          });
        const isUp = () => ask(proxy, 'GET', '/v1/products').catch(() => ({ status: 0, text: said }));
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
      } finally {
        if (child?.kill('SIGTERM')) await once(child, 'exit');
      }
    });
});
