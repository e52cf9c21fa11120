import { once } from 'node:events';
import { Agent, request } from 'node:https';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { Apps } from '../bootstrap/support/apps.ts';
import { freePort } from '../bootstrap/support/ports.ts';
import { certificate } from '../http/support/certificate.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { until } from '../support/until.ts';
import { proxies, withProxy } from './example-proxies.ts';
import { has } from './programs.ts';

const allowedAddress = '127.0.0.1';
/** Linux accepts each address that begins with 127 as its own. */
const anotherAddress = '127.0.0.2';

const portOf = (url = ''): number => Number(new URL(url).port);

/** Spellings of `/admin`, of which a proxy or a server could read one as the path of the page. */
const spellings = [
  ...['/admin', '/admin/', '/admin?lang=en', '/admin/login.json', '/admin//', '//admin', '/./admin'],
  ...['/%61dmin', '/docs/../admin', '/docs/%2e%2e/admin', '/docs/..%2fadmin', '/docs//../../admin'],
  ...['/docs/..;/admin', '/docs/.%2E/%61dmin', '/ADMIN', '/admin%2f', '/admin%3f'],
];

describe('The admin page behind an example for a proxy', () => {
  const place = temporaryFolder();
  const apps = new Apps({
    ...{ TRUST_PROXY: '1', ADMIN_PAGE: '1', OPS_PORT: '', PAGES_PORT: '' },
    ...{ PAGES_HOST: '127.0.0.1', PUBLIC_URL: 'https://127.0.0.1' },
  });
  const agent = new Agent({ ca: certificate.cert });
  after(async () => {
    agent.destroy();
    await apps.end();
  });

  interface Page {
    readonly status: number;
    readonly body: string;
  }
  const getFrom = async (localAddress: string, port: number, path: string): Promise<Page> => {
    const headers = { 'X-Forwarded-For': allowedAddress, Forwarded: `for=${allowedAddress}` };
    const sent = request({ host: '127.0.0.1', port, path, localAddress, headers, agent }).end();
    const [response] = await once(sent, 'response');
    return { status: response.statusCode, body: await text(response) };
  };
  const isAdminPage = ({ status, body }: Page): boolean => status === 200 && body.includes('/admin/');

  for (const [name, proxied] of Object.entries(proxies))
    it(`is only for the addresses that the example names: ${name}${has(proxied.program) ? '' : ' (skipped: it is not installed)'}`, async function () {
      if (!has(proxied.program) || process.platform !== 'linux') this.skip();
      const { app } = await apps.start();
      const proxy = await freePort();
      const listeners = { api: portOf(app.url), pages: portOf(app.pagesUrl), health: portOf(app.opsUrl) };
      const ports = { proxy, events: await freePort(), ...listeners };
      await withProxy(proxied, place, ports, async (said) => {
        const isUp = () => getFrom(allowedAddress, proxy, '/v1/products').catch(said);
        await until(isUp, (answer) => typeof answer !== 'string' && answer.status === 401);
        expect(await getFrom(allowedAddress, proxy, '/admin')).to.satisfy(isAdminPage);
        expect((await getFrom(anotherAddress, proxy, '/admin')).status).to.equal(403);
        expect((await getFrom(anotherAddress, proxy, '/admin/assets/app.js')).status).to.equal(403);
        expect((await getFrom(anotherAddress, proxy, '/docs')).status).to.equal(200);
        expect((await getFrom(anotherAddress, proxy, '/openapi.json')).status).to.equal(200);
        expect((await getFrom(anotherAddress, proxy, '/administration')).status).to.equal(401);
        for (const spelling of spellings) {
          const page = await getFrom(anotherAddress, proxy, spelling);
          expect(page.status, spelling).to.be.oneOf([400, 401, 403, 404]);
          expect(page, spelling).not.to.satisfy(isAdminPage);
        }
      });
    });
});
