import { expect } from 'chai';
import type { App } from '#bootstrap/composition/app.ts';
import { appsOfEachTest } from '../../bootstrap/support/apps.ts';
import { operatorKey } from '../../bootstrap/support/server-settings.ts';
import { Client } from '../support/client.ts';
import { expectProblem } from '../support/protocol.ts';

describe('The listener for operators', () => {
  const apps = appsOfEachTest({ OPS_PORT: '' });
  const start = async (environment: Readonly<Record<string, string>> = {}): Promise<App> =>
    (await apps.start(environment)).app;
  const asking = ({ opsUrl = '' }: App, credential?: string): Client => new Client(() => opsUrl, credential);

  it('reports liveness and readiness without a credential', async () => {
    const ops = asking(await start());
    for (const [path, text] of Object.entries({
      '/livez': `alive: process ${process.pid}\n`,
      '/readyz': 'ready\n',
    })) {
      const response = await ops.get(path);
      expect(response.status).to.equal(200);
      expect(response.text).to.equal(text);
      expect(response.headers.get('Cache-Control')).to.equal('no-store');
      expect((await ops.send('HEAD', path)).text).to.equal('');
    }
  });

  it('serves the API too, with a credential only', async () => {
    const running = await start();
    expect((await asking(running, operatorKey).get('/v1/products')).status).to.equal(200);
    expectProblem(await asking(running).get('/v1/products'), '401 UNAUTHORIZED');
  });

  it('on loopback ignores the proxy settings of the API', async () => {
    const running = await start({ TRUST_PROXY: '1' });
    expect((await asking(running, operatorKey).get('/v1/products')).status).to.equal(200);
    const api = new Client(() => running.url, operatorKey);
    expectProblem(await api.get('/v1/products'), '403 HTTPS_REQUIRED');
  });

  it('on a public interface shows the health, but serves no API over plain HTTP', async () => {
    const running = await start({ OPS_HOST: '0.0.0.0' });
    expect((await asking(running).get('/readyz')).status).to.equal(200);
    expectProblem(await asking(running, operatorKey).get('/v1/products'), '403 HTTPS_REQUIRED');
    const claim = { 'X-Forwarded-Proto': 'https' };
    expectProblem(await asking(running, operatorKey).get('/v1/products', claim), '403 HTTPS_REQUIRED');
  });

  it('does not listen without OPS_PORT', async () => {
    expect((await start({ OPS_PORT: '0' })).opsUrl).to.equal(undefined);
  });

  it('is separate from the API’s port', async () => {
    const running = await start({ OPS_PORT: '0' });
    const response = await new Client(() => running.url, undefined).get('/readyz');
    expectProblem(response, '401 UNAUTHORIZED');
  });
});
