import { expect } from 'chai';
import { expectProblem, expectRateLimit } from '../support/protocol.ts';
import { describeServiceOnMemory } from '../support/service.ts';
import { credential, errorOnTheWire, requestText, Wire } from '../support/wire.ts';

const allowed = ['GET', 'HEAD', 'OPTIONS', 'POST'];

/** The methods that Node's parser accepts. */
const methods = [
  'GET HEAD POST PUT PATCH DELETE TRACE PROPFIND PROPPATCH MKCOL COPY MOVE LOCK UNLOCK SEARCH QUERY PURGE LINK',
  'UNLINK REPORT MERGE M-SEARCH NOTIFY SUBSCRIBE UNSUBSCRIBE MKACTIVITY CHECKOUT MKCALENDAR BIND ACL SOURCE',
].flatMap((line) => line.split(' '));

describeServiceOnMemory('A method', {}, (service) => {
  it('that a path does not support gets 405 with the supported ones in Allow', async () => {
    const wire = await Wire.open(service.url);
    for (const method of methods.filter((name) => !allowed.includes(name))) {
      wire.write(requestText(`${method} /v1/products`, [credential(service.operator), 'Content-Length: 0']));
      const response = await wire.answer();
      expectProblem(response, '405 METHOD_NOT_ALLOWED');
      expectRateLimit(response);
      expect(response.headers.get('Allow')?.split(', ').toSorted(), method).to.deep.equal(allowed);
    }
    wire.destroy();
  });

  it('without a credential gets 401, whatever it is', async () => {
    const wire = await Wire.open(service.url);
    for (const method of methods) {
      const response = await wire
        .write(requestText(`${method} /v1/products`, ['Content-Length: 0']))
        .answer(method === 'HEAD');
      expect(response.status, method).to.equal(401);
    }
    wire.destroy();
  });

  it('on an unknown path gets 404, whatever it is', async () => {
    const wire = await Wire.open(service.url);
    for (const method of methods.filter((name) => name !== 'HEAD')) {
      wire.write(requestText(`${method} /v1/nothing`, [credential(service.operator), 'Content-Length: 0']));
      expectProblem(await wire.answer(), '404 NOT_FOUND');
    }
    wire.destroy();
  });

  it('TRACE does not echo its request', async () => {
    const wire = await Wire.open(service.url);
    const headers = [credential(service.operator), 'X-Secret: top-secret'];
    const response = await wire.write(requestText('TRACE /v1/products', headers)).answer();
    expect(response.status).to.equal(405);
    expect(response.text).not.to.include('top-secret');
    wire.destroy();
  });

  it('CONNECT gets 405', async () => {
    for (const target of ['evil.example:443', '127.0.0.1:22', '[::1]:1']) {
      const bytes = requestText(`CONNECT ${target}`, [credential(service.operator), 'X-Request-Id: mine']);
      const response = await errorOnTheWire(service.url, bytes);
      expectProblem(response, '405 METHOD_NOT_ALLOWED');
      expect(response.body.request_id).to.equal('mine');
    }
  });

  it('OPTIONS * gets 404', async () => {
    const wire = await Wire.open(service.url);
    expectProblem(await wire.write(requestText('OPTIONS *')).answer(), '404 NOT_FOUND');
    wire.destroy();
  });

  it('cannot be overridden by a header or a parameter', async () => {
    for (const name of ['X-HTTP-Method-Override', 'X-Method-Override']) {
      const response = await service.operator.get('/v1/products', { [name]: 'DELETE' });
      expect(response.status).to.equal(200);
    }
    const response = await service.operator.get('/v1/products?_method=DELETE');
    expectProblem(response, '422 VALIDATION_ERROR', ['_method']);
  });
});
