import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { Agent, request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { connect } from 'node:tls';
import { expect } from 'chai';
import { freePort } from '../bootstrap/support/ports.ts';
import { certificate } from '../http/support/certificate.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { until } from '../support/until.ts';
import { proxies, withProxy } from './example-proxies.ts';
import { has } from './programs.ts';

/** What three people ask for who open the admin page at once behind one address: more than a proxy lets one client ask for. */
const manyFiles = 400;

describe('The admin page that comes through a proxy', () => {
  const place = temporaryFolder();
  /** In place of the listeners: each says its name. */
  const servers: Server[] = [];
  const agent = new Agent({ keepAlive: true, maxSockets: 20, ca: certificate.cert });
  const serverOf = async (name: string): Promise<number> => {
    const server = createServer((_, response) => response.end(name)).listen(0, '127.0.0.1');
    servers.push(server);
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  };
  after(() => {
    agent.destroy();
    for (const server of servers) {
      server.close();
      server.closeAllConnections();
    }
  });

  const ask = async (port: number, path: string): Promise<string> => {
    const sent = request({ host: '127.0.0.1', port, path, agent }).end();
    const [response] = await once(sent, 'response');
    const body = await text(response);
    return response.statusCode === 200 ? body : `${response.statusCode}`;
  };

  /** The protocol that a browser gets. */
  const protocolAt = async (port: number): Promise<string | false | null> => {
    const offer = { ca: certificate.cert, ALPNProtocols: ['h2', 'http/1.1'] };
    const socket = connect({ host: '127.0.0.1', port, ...offer });
    await once(socket, 'secureConnect').finally(() => socket.destroy());
    return socket.alpnProtocol;
  };

  for (const [name, proxied] of Object.entries(proxies))
    it(`comes by HTTP/2 and has no limit for its many files, and the API keeps its own: ${name}${has(proxied.program) ? '' : ' (skipped: it is not installed)'}`, async function () {
      if (!has(proxied.program)) this.skip();
      const [proxy, events] = [await freePort(), await freePort()];
      const ports = { proxy, events, api: await serverOf('api'), pages: await serverOf('pages') };
      await withProxy(proxied, place, ports, async (said) => {
        const isUp = () => ask(proxy, '/v1/products').catch(said);
        await until(isUp, (answer) => answer === 'api');
        expect(await protocolAt(proxy)).to.equal('h2');
        const askMany = async (path: string): Promise<readonly string[]> => {
          const answers = Array.from({ length: manyFiles }, (_, place) =>
            ask(proxy, path.replace('N', `${place}`)),
          );
          return [...new Set(await Promise.all(answers))];
        };
        expect(await askMany('/admin/uLdrT0fPBYHwOdIJ/assets/views/N.ts')).to.deep.equal(['pages']);
        expect(await askMany('/docs/assets/N.js?theme=dark')).to.deep.equal(['pages']);
        expect([await ask(proxy, '/admin'), await ask(proxy, '/administration')]).to.deep.equal([
          'pages',
          'api',
        ]);
        // Only nginx limits each address without a plugin. A path that leads out of the page is limited, too.
        if (name !== 'nginx') return;
        expect(await askMany('/v1/products/N')).to.include('429');
        expect(await askMany('/admin/%2e%2e/v1/products/N')).to.include('429');
      });
    });
});
