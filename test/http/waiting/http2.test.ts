import { constants } from 'node:http2';
import { expect } from 'chai';
import { operatorKey } from '../../bootstrap/support/server-settings.ts';
import { Metrics } from '../../support/metrics.ts';
import { certificate, tls } from '../support/certificate.ts';
import { describeServiceInSimulatedTime } from '../support/service.ts';
import { Session } from '../support/session.ts';
import { tea } from '../support/shop.ts';

const path = '/v1/events?start=latest';

describeServiceInSimulatedTime('Requests that wait over HTTP/2', { ...tls, OPS_PORT: 'free' }, (service) => {
  let session: Session;
  before(async () => {
    session = await Session.open(service.url, certificate.cert, operatorKey);
  });
  after(() => session.close());

  const waiting = async () => (await Metrics.of(service.opsUrl)).value('portico_http_requests_waiting');

  it('share a session with others, which are served meanwhile', async () => {
    const events = Promise.all(
      [1, 2, 3].map(() => session.ask('GET', path, undefined, { prefer: 'wait=20' })),
    );
    await service.time.until(waiting, (count) => count === 3);
    const [created, milliseconds] = await service.time.during(session.ask('POST', '/v1/products', tea));
    expect(created.status).to.equal(201);
    expect(milliseconds).to.be.below(1_000);
    for (const { body, headers } of await events) {
      expect(body.data).to.have.length(1);
      expect(headers.get('Preference-Applied')).to.equal('wait=20');
    }
  });

  it('end when the client cancels its stream, or closes its session', async () => {
    const other = await Session.open(service.url, certificate.cert, operatorKey);
    const streams = [1, 2].map(() => other.begin('GET', path, { prefer: 'wait=20' }).end());
    await service.time.until(waiting, (count) => count === 2);
    streams[0]?.close(constants.NGHTTP2_CANCEL);
    await service.time.until(waiting, (count) => count === 1, 2_000);
    other.close();
    await service.time.until(waiting, (count) => count === 0, 2_000);
  });
});
