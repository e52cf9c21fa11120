import { expect } from 'chai';
import type { ApiResponse } from '../support/client.ts';
import { expectCommonHeaders, expectProblem, expectRateLimit } from '../support/protocol.ts';
import { describeService, describeServiceOnMemory } from '../support/service.ts';
import { newProduct, nowhere, tea } from '../support/shop.ts';
import { credential, requestText, Wire } from '../support/wire.ts';

describeService('A path', {}, (service) => {
  for (const path of [
    '/v1/products/',
    '/v1/products//',
    '/v1//products',
    '/v1/Products',
    '/V1/products',
    '/v1/product',
    '/v1/%70roducts',
    '/v1/products;a=b',
    '/v1/products.json',
    '/v1/products%2f',
    '/v1/products%00',
    '/v1/%00',
    '/v1/products/%00',
    '/v1/products/a%00b',
    '/v1/products/..%2fusers',
    '/v1/products/%2e%2e/users',
    `/v1/products/${nowhere}/`,
    `/v1/products/${nowhere}/reviews`,
    `/v1/users/${nowhere}/Orders`,
    '/v1/',
    '/v1',
    '/v1/..',
    '/v2/products',
    '/v0/products',
    '/v10/products',
    '/v2',
    '/v99999999999999999999/products',
  ]) {
    it(`${path} is not found`, async () => {
      const wire = await Wire.open(service.url);
      const answer = await wire.write(requestText(`GET ${path}`, [credential(service.operator)])).answer();
      wire.destroy();
      if (path === '/V1/products') return expectRedirect(answer, '/v1/V1/products');
      expect(answer.body?.error.code, answer.text).to.be.oneOf(['NOT_FOUND', 'PRODUCT_NOT_FOUND']);
      expect(answer.status).to.equal(404);
    });
  }

  for (const path of [
    '/v1/%',
    '/v1/%zz',
    '/v1/products/%ff',
    '/v1/products/%c0%af',
    '/v1/%ed%a0%80',
    '/%E0%A4%A',
  ]) {
    it(`${path} is rejected for its percent-encoding`, async () => {
      expectProblem(await service.operator.get(path), '400 BAD_REQUEST');
    });
  }

  it('may have an id in upper case', async () => {
    const { id } = await newProduct(service);
    const answer = await service.operator.get(`/v1/products/${id.toUpperCase()}`);
    expect(answer.body.data.id).to.equal(id);
  });
});

const expectRedirect = (answer: ApiResponse, location: string): void => {
  expect(`${answer.status} ${answer.headers.get('Location')}`).to.equal(`307 ${location}`);
  expect(answer.text).to.equal('');
  expectCommonHeaders(answer);
  expectRateLimit(answer);
};

describeServiceOnMemory('A path without a version', {}, (service) => {
  const ask = async (target: string, method = 'GET'): Promise<ApiResponse> => {
    const wire = await Wire.open(service.url);
    const answer = await wire
      .write(requestText(`${method} ${target}`, [credential(service.operator)]))
      .answer(method === 'HEAD');
    wire.destroy();
    return answer;
  };

  for (const method of ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'POST', 'TRACE', 'PROPFIND']) {
    it(`is redirected to the latest version for ${method}, with its path and query unchanged`, async () => {
      const answer = await ask('/products/x%20y?limit=3&sku=%E2%82%AC+a&sku', method);
      expectRedirect(answer, '/v1/products/x%20y?limit=3&sku=%E2%82%AC+a&sku');
    });
  }

  for (const [target, location] of Object.entries({
    '/': '/v1/',
    '/?a=b': '/v1/?a=b',
    '/?': '/v1/',
    '/nothing/at/all': '/v1/nothing/at/all',
    '/v1x/products': '/v1/v1x/products',
    '/version': '/v1/version',
    '/v': '/v1/v',
    '/va/products': '/v1/va/products',
    '/api/v1/products': '/v1/api/v1/products',
    '/?next=//evil.example': '/v1/?next=//evil.example',
    '/%2F%2Fevil.example': '/v1/%2F%2Fevil.example',
    '/%5Cevil.example': '/v1/%5Cevil.example',
    '/%0d%0aSet-Cookie:%20a=b': '/v1/%0d%0aSet-Cookie:%20a=b',
    '/a?b=%0d%0aLocation:%20//evil.example': '/v1/a?b=%0d%0aLocation:%20//evil.example',
    '/@evil.example': '/v1/@evil.example',
    '/.evil.example': '/v1/.evil.example',
    'http://evil.example/products': '/v1/products',
    'https://evil.example:1/products?a=b': '/v1/products?a=b',
    'http://evil.example': '/v1/',
    'http://evil.example?a': '/v1/?a',
    'http://user@evil.example:99999/a': '/v1/a',
    'http://evil.example:port/a': '/v1/a',
    'http://[/a': '/v1/a',
    'http://[::1]:80/a': '/v1/a',
    'http://evil%00.example/a': '/v1/a',
    'http:///a': '/v1/a',
    'gopher://evil.example/a': '/v1/a',
  })) {
    it(`such as ${target} is redirected to ${location}`, async () => {
      expectRedirect(await ask(target), location);
    });
  }

  for (const target of [
    '//evil.example',
    '//evil.example/..',
    '///evil.example',
    '/a//evil.example',
    'http://a//evil.example',
    'http://a//evil.example//',
  ]) {
    it(`such as ${target} is not redirected`, async () => {
      const answer = await ask(target);
      expectProblem(answer, '404 NOT_FOUND');
      expect(answer.headers.has('Location')).to.equal(false);
    });
  }

  it('is never redirected to another host (open redirect)', async () => {
    for (const target of ['/\\evil.example', '/\\\\evil.example', '\\\\evil.example', '/\\/evil.example']) {
      const answer = await ask(target);
      if (answer.status === 307) {
        const location = answer.headers.get('Location') ?? '';
        expect(location).to.match(/^\/v1\/[^/]/);
        expect(new URL(location, 'https://shop.example').host).to.equal('shop.example');
      } else expect(answer.status).to.be.oneOf([400, 404]);
    }
  });

  it('is served in absolute form, whatever host it names, when it has a version', async () => {
    expect((await ask('http://evil.example/v1/products')).status).to.equal(200);
    expect((await ask('http://[/v1/products?limit=3')).body.pagination.limit).to.equal(3);
    expectProblem(await ask('http://evil.example/v2/products'), '404 NOT_FOUND');
  });

  it('is redirected with 307, which keeps method and body', async () => {
    const first = await service.operator.post('/products', tea);
    const second = await service.operator.post(first.headers.get('Location') ?? '', tea);
    expect(second.status).to.equal(201);
  });
});

const sunset = { DEPRECATED_VERSIONS: 'v1=2027-06-30T00:00:00Z', RATE_LIMIT_MAX: '30' };

describeServiceOnMemory('A deprecated version', sunset, (service) => {
  const expectWarning = (answer: ApiResponse, isThere = true): void => {
    expect(answer.headers.get('Deprecation')).to.equal(isThere ? 'true' : null);
    expect(answer.headers.get('Sunset')).to.equal(isThere ? 'Wed, 30 Jun 2027 00:00:00 GMT' : null);
  };

  it('says so in all of its responses', async () => {
    const created = await service.operator.post('/v1/products', tea);
    const one = created.headers.get('Location') ?? '';
    const notAny = await service.operator.get(one, { 'If-None-Match': '"1"' });
    for (const [answer, status] of [
      [created, 201],
      [await service.operator.get('/v1/products'), 200],
      [notAny, 304],
      [await service.operator.post('/v1/products', '{'), 400],
      [await service.stranger.get('/v1/products'), 401],
      [await (await service.person('customer')).post('/v1/products', tea), 403],
      [await service.operator.get('/v1/nothing'), 404],
      [await service.operator.put('/v1/products', tea), 405],
      [await service.operator.post('/v1/products', {}), 422],
      [await service.stranger.send('OPTIONS', '/v1/products'), 204],
      [await service.operator.delete(one), 204],
    ] as const) {
      expect(answer.status).to.equal(status);
      expectWarning(answer);
    }
  });

  it('says so in a 429 too', async () => {
    const person = await service.person('customer');
    for (let count = 0; count < 30; count += 1) await person.get('/v1/nothing');
    const answer = await person.get('/v1/products');
    expect(answer.status).to.equal(429);
    expectWarning(answer);
  });

  it('does not affect responses of other paths', async () => {
    expectWarning(await service.operator.get('/products'), false);
    expectWarning(await service.operator.get('/v2/products'), false);
    expectWarning(await service.operator.get('/v11/products'), false);
  });
});
