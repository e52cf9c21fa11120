import { expect } from 'chai';
import type { ApiResponse, Client } from '../support/client.ts';
import { expectCommonHeaders, expectJson, expectProblem, expectRateLimit } from '../support/protocol.ts';
import { describeService, describeServiceOnMemory } from '../support/service.ts';
import { newProduct, nowhere, tea } from '../support/shop.ts';
import { credential, errorOnTheWire, requestText } from '../support/wire.ts';

type SendRequest = (operator: Client) => Promise<ApiResponse>;

/** A request for each status that an authenticated caller can get. */
const known: Readonly<Record<string, SendRequest>> = {
  '200 of one': async (operator) => {
    const created = await operator.post('/v1/products', tea);
    return operator.get(`/v1/products/${created.body.data.id}`);
  },
  '200 of many': (operator) => operator.get('/v1/products'),
  '201': (operator) => operator.post('/v1/products', tea),
  '204': async (operator) => {
    const created = await operator.post('/v1/products', tea);
    return operator.delete(`/v1/products/${created.body.data.id}`);
  },
  '304': async (operator) => {
    const { body } = await operator.post('/v1/products', tea);
    return operator.get(`/v1/products/${body.data.id}`, { 'If-None-Match': '"1"' });
  },
  '307': (operator) => operator.get('/products'),
  '400': (operator) => operator.post('/v1/products', '{'),
  '404': (operator) => operator.get(`/v1/products/${nowhere}`),
  '405': (operator) => operator.put('/v1/products', tea),
  '409': async (operator) => {
    await operator.post('/v1/products', { ...tea, sku: 'ONE' });
    return operator.post('/v1/products', { ...tea, sku: 'ONE' });
  },
  '412': async (operator) => {
    const { body } = await operator.post('/v1/products', tea);
    return operator.delete(`/v1/products/${body.data.id}`, { 'If-Match': '"9"' });
  },
  '413': (operator) => operator.post('/v1/products', `"${'a'.repeat(102_400)}"`),
  '415': (operator) => operator.post('/v1/products', tea, { 'Content-Type': 'text/plain' }),
  '422': (operator) => operator.post('/v1/products', {}),
};

describeService('Responses to an authenticated caller', {}, (service) => {
  for (const [status, ask] of Object.entries(known)) {
    it(`of status ${status} have the common headers and those of the rate limit`, async () => {
      const response = await ask(service.operator);
      expect(response.status).to.equal(Number(status.slice(0, 3)));
      expectCommonHeaders(response);
      expectRateLimit(response);
      if (response.text === '') expect(response.headers.has('Content-Type')).to.equal(false);
      else expectJson(response);
    });
  }

  it('name invalid fields as the client wrote them', async () => {
    const response = await service.operator.post('/v1/products', { ...tea, productId: 1, 'a.b': 2, '': 3 });
    expectProblem(response, '422 VALIDATION_ERROR', ['productId', 'a.b', '']);
  });

  it('to HEAD are those to GET without the body', async () => {
    const { id } = await newProduct(service);
    for (const path of [`/v1/products/${id}`, '/v1/products', `/v1/products/${nowhere}`, '/v1/none']) {
      const got = await service.operator.get(path);
      const head = await service.operator.send('HEAD', path);
      expect(head.status).to.equal(got.status);
      expect(head.text).to.equal('');
      for (const name of ['ETag', 'Content-Type']) {
        expect(head.headers.get(name), name).to.equal(got.headers.get(name));
      }
      expect(head.headers.get('Content-Length')).to.equal(`${Buffer.byteLength(got.text)}`);
      expectCommonHeaders(head);
    }
  });
});

describeServiceOnMemory('Responses to a caller without a credential', {}, (service) => {
  it('to OPTIONS do not depend on the credential, and are 404 for an unknown path', async () => {
    const wrong = { Authorization: 'Bearer nonsense' };
    const response = await service.stranger.send('OPTIONS', '/v1/products', undefined, wrong);
    expect(response.status).to.equal(204);
    expectProblem(await service.stranger.send('OPTIONS', '/v1/nothing'), '404 NOT_FOUND');
  });

  it('allow the configured origin, whatever origin asks', async () => {
    for (const origin of ['https://evil.example', 'null', 'http://127.0.0.1:0']) {
      expectCommonHeaders(await service.operator.get('/v1/products', { Origin: origin }));
    }
  });

  it('have the common headers for errors of the HTTP parser too', async () => {
    for (const [bytes, meaning] of [
      ['nonsense\r\n\r\n', '400 BAD_REQUEST'],
      [requestText('GET /v1/products', [`X: ${'a'.repeat(17_000)}`]), '431 BAD_REQUEST'],
      [requestText('GET /v1/products', ['Expect: a-miracle']), '417 BAD_REQUEST'],
      [requestText('CONNECT portico.test:443', [credential(service.operator)]), '405 METHOD_NOT_ALLOWED'],
    ] as const) {
      const response = await errorOnTheWire(service.url, bytes);
      expectProblem(response, meaning);
      expect(response.headers.get('Connection')).to.equal('close');
    }
  });
});

const cors = {
  CORS_ORIGIN: 'https://shop.example',
  CORS_ALLOW_METHODS: 'GET, POST, PUT, PATCH, DELETE',
  CORS_ALLOW_HEADERS: 'Content-Type, Authorization, Idempotency-Key',
};

describeServiceOnMemory('The CORS settings', cors, (service) => {
  it('are in every response', async () => {
    for (const response of [
      await service.operator.get('/v1/products'),
      await service.stranger.get('/v1/products'),
      await service.stranger.send('OPTIONS', '/v1/products'),
      await service.operator.get('/products'),
      await errorOnTheWire(service.url, 'nonsense\r\n\r\n'),
    ]) {
      expect(response.headers.get('Access-Control-Allow-Origin')).to.equal('https://shop.example');
      expect(response.headers.get('Access-Control-Allow-Methods')).to.equal(cors.CORS_ALLOW_METHODS);
      expect(response.headers.get('Access-Control-Allow-Headers')).to.equal(cors.CORS_ALLOW_HEADERS);
    }
  });
});
