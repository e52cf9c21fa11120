import { expect } from 'chai';
import { expectProblem } from '../support/protocol.ts';
import { describeServiceOnMemory } from '../support/service.ts';
import { newProduct, tea } from '../support/shop.ts';
import { credential, requestText, Wire } from '../support/wire.ts';

describeServiceOnMemory('The media type of a body', {}, (service) => {
  for (const type of [
    'application/json',
    'Application/JSON',
    'application/json;charset=utf-8',
    'application/json; charset=UTF-8',
    'application/json ; charset="utf-8"',
    'application/json; charset=utf8',
    'application/json; profile="https://example.com/a;b"',
  ]) {
    it(`may be ${type}`, async () => {
      const response = await service.operator.post('/v1/products', tea, { 'Content-Type': type });
      expect(response.status, response.text).to.equal(201);
    });
  }

  for (const type of [
    '',
    'json',
    'text/json',
    'text/plain',
    'application/jsonp',
    'application/x-json',
    'application/ld+json',
    'application/merge-patch+json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json, text/plain',
    'application/json; charset=iso-8859-1',
    'application/json; charset=utf-16',
    'application/json; charset=us-ascii',
    'application/json; charset="utf-8, utf-16"',
    '*/*',
  ]) {
    it(`must not be ${type === '' ? 'empty' : type}`, async () => {
      const response = await service.operator.post('/v1/products', tea, { 'Content-Type': type });
      expectProblem(response, '415 UNSUPPORTED_MEDIA_TYPE');
    });
  }

  it('is required', async () => {
    const wire = await Wire.open(service.url);
    const headers = [credential(service.operator), 'Content-Length: 2'];
    const response = await wire.write(requestText('POST /v1/products', headers, '{}')).answer();
    expectProblem(response, '415 UNSUPPORTED_MEDIA_TYPE');
    wire.destroy();
  });

  it('must be given once', async () => {
    const wire = await Wire.open(service.url);
    const type = 'Content-Type: application/json';
    const headers = [credential(service.operator), type, type, 'Content-Length: 2'];
    expectProblem(
      await wire.write(requestText('POST /v1/products', headers, '{}')).answer(),
      '400 BAD_REQUEST',
    );
    await wire.closed();
  });

  it('is ignored where no body is read', async () => {
    const { id } = await newProduct(service);
    const headers = { 'Content-Type': 'text/plain' };
    expect((await service.operator.delete(`/v1/products/${id}`, headers)).status).to.equal(204);
    expect((await service.operator.get('/v1/products', headers)).status).to.equal(200);
  });
});
