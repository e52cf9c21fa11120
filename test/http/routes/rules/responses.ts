import { expect } from 'chai';
import { expectCommonHeaders, expectJson, expectProblem, expectRateLimit } from '../../support/protocol.ts';
import { contentOf } from '../table.ts';
import { everyRoute, type Rule, withQuery } from './rule.ts';

/** What a request gets that succeeds. */
export const responseRules: readonly Rule[] = [
  {
    title: 'succeeds with its example, as the OpenAPI document describes the response',
    isFor: everyRoute,
    check: async (shop, operation) => {
      const { request, response } = await shop.success(operation);
      const { method, address, headers = {}, body } = request;
      const sent = { ...headers, ...(body !== undefined && { 'Content-Type': 'application/json' }) };
      const text = body === undefined ? undefined : JSON.stringify(body);
      const exchanged = { method, address, headers: new Headers(sent), body: text };
      expect(() => shop.conform(exchanged, response)).not.to.throw();
    },
  },
  {
    title: 'has the common headers, those of the rate limit and the request id, in success and in an error',
    isFor: everyRoute,
    check: async (shop, operation) => {
      const { request, response: succeeded } = await shop.success(operation);
      const failed = await shop.admin({
        ...request,
        address: withQuery(request.address, 'no_such_parameter'),
      });
      expectProblem(failed, '422 VALIDATION_ERROR');
      for (const response of [failed, succeeded]) {
        expectCommonHeaders(response);
        expectRateLimit(response);
        expect(response.headers.get('X-Request-Id')).to.equal('mine');
        if (response.text === '') expect(response.headers.has('Content-Type')).to.equal(false);
        else expectJson(response);
      }
    },
  },
  {
    title: 'says where what it has created is found, which its version there confirms',
    isFor: ({ route }) => route.responder.status === 201,
    check: async (shop, operation) => {
      const { request, response } = await shop.success(operation);
      const { headers, body } = response;
      const location = headers.get('Location');
      expect(location).to.equal(`${request.address}/${body.data.id}`);
      expect(headers.get('ETag')).to.equal(`"${body.data.version}"`);
      const found = await shop.admin({ method: 'GET', address: `${location}` });
      expect(found.status, found.text).to.equal(200);
      expect(found.body.data.id).to.equal(body.data.id);
    },
  },
  {
    title: 'forbids caches to keep what it shows once, and forbids it of nothing else',
    isFor: everyRoute,
    check: async (shop, operation) => {
      const { noStore } = operation.route.responder;
      const { response } = await shop.success(operation);
      expect(response.headers.get('Cache-Control')).to.equal(noStore === 'always' ? 'no-store' : null);
    },
  },
  {
    title: 'is empty where it has no content, and holds data alone, or data with pages and links',
    isFor: everyRoute,
    check: async (shop, operation) => {
      const { body, text } = (await shop.success(operation)).response;
      const content = contentOf(operation);
      if (content === 'nothing') expect(text).to.equal('');
      else expect(body).to.have.all.keys(content === 'one' ? ['data'] : ['data', 'pagination', 'links']);
    },
  },
];
