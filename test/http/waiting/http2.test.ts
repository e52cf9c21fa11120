import { constants } from 'node:http2';
import { expect } from 'chai';
import { type App, startApp } from '#bootstrap/composition/app.ts';
import { readConfig } from '#bootstrap/config/config.ts';
import { freePort } from '../../bootstrap/support/ports.ts';
import { FlowingTime } from '../../support/flowing-time.ts';
import { Metrics } from '../../support/metrics.ts';
import { certificate } from '../support/certificate.ts';
import { Session } from '../support/session.ts';

const token = 'an-operator-key-that-is-long-enough-for-all';
const path = '/v1/events?start=latest';
const tea = { name: 'Tea', price: { amount: 350, currency: 'EUR' } };

describe('Requests that wait over HTTP/2', () => {
  let time: FlowingTime;
  let app: App;
  let session: Session;
  before(async () => {
    time = new FlowingTime();
    app = await startApp(
      readConfig({
        ...{ DATABASE_URL: 'memory:', PORT: '0', OPS_PORT: `${await freePort()}`, LOG_LEVEL: 'silent' },
        ...{ ADMIN_API_KEY: token, TLS_CERT_FILE: certificate.certFile, TLS_KEY_FILE: certificate.keyFile },
      }),
    );
    session = await Session.open(app.url, certificate.cert, token);
  });
  after(async () => {
    session.close();
    await app.close();
    time.end();
  });

  const waiting = async () => (await Metrics.of(app.opsUrl ?? '')).value('portico_http_requests_waiting');

  it('share a session with others, which are served meanwhile', async () => {
    const events = Promise.all(
      [1, 2, 3].map(() => session.ask('GET', path, undefined, { prefer: 'wait=20' })),
    );
    await time.until(waiting, (count) => count === 3);
    const [created, milliseconds] = await time.during(session.ask('POST', '/v1/products', tea));
    expect(created.status).to.equal(201);
    expect(milliseconds).to.be.below(1_000);
    for (const { body, headers } of await events) {
      expect(body.data).to.have.length(1);
      expect(headers.get('Preference-Applied')).to.equal('wait=20');
    }
  });

  it('end when the client cancels its stream, or closes its session', async () => {
    const other = await Session.open(app.url, certificate.cert, token);
    const streams = [1, 2].map(() => other.begin('GET', path, { prefer: 'wait=20' }).end());
    await time.until(waiting, (count) => count === 2);
    streams[0]?.close(constants.NGHTTP2_CANCEL);
    await time.until(waiting, (count) => count === 1, 2_000);
    other.close();
    await time.until(waiting, (count) => count === 0, 2_000);
  });
});
