import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { Json } from '../../support/client.ts';
import { expectProblem } from '../../support/protocol.ts';
import { expectReplay, isReplay } from '../../support/replays.ts';
import { nowhere } from '../../support/shop.ts';
import { bodySchemaOf, type Declared } from '../table.ts';
import type { Rule } from './rule.ts';

const takesKey = ({ method }: Declared): boolean => ['POST', 'PUT', 'PATCH'].includes(method);

const key = (value: string = randomUUID()) => ({ 'Idempotency-Key': value });

const invalidKeys = ['', 'two words', 'x'.repeat(256)];

/** Another body that is valid: with or without what is optional, else with other ids. */
const another = (operation: Declared, body: Json): Json => {
  const { required = [], properties } = bodySchemaOf(operation);
  if (Object.keys(body).length === 0) {
    const [name, schema] =
      Object.entries<Json>(properties).find(([, one]) => one['x-example-omitted'] !== true) ?? [];
    return { [`${name}`]: schema?.examples[0] };
  }
  const least = Object.fromEntries(Object.entries(body).filter(([name]) => required.includes(name)));
  if (Object.keys(least).length < Object.keys(body).length) return least;
  return JSON.parse(JSON.stringify(body).replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, nowhere));
};

/** What becomes of an Idempotency-Key. */
export const keyRules: readonly Rule[] = [
  {
    title: 'needs an Idempotency-Key where it calls the payment provider',
    isFor: ({ method, route }) => method === 'POST' && route.extraTime === 'provider',
    check: async (shop, operation) => {
      const request = shop.samples.form(operation);
      expectProblem(await shop.admin({ ...request, headers: {} }), '400 IDEMPOTENCY_KEY_MISSING');
    },
  },
  {
    title: 'responds 400 to a key that is empty, longer than 255 characters or has spaces',
    isFor: takesKey,
    check: async (shop, operation) => {
      const request = shop.samples.form(operation);
      for (const value of invalidKeys)
        expectProblem(await shop.admin({ ...request, headers: key(value) }), '400 IDEMPOTENCY_KEY_INVALID');
    },
  },
  {
    title: 'happens once for a key, and replays its response to the byte, but for what it shows once',
    isFor: takesKey,
    check: async (shop, operation) => {
      const request = { ...(await shop.samples.request(operation)), headers: key() };
      const [first, second] = [await shop.admin(request), await shop.admin(request)];
      expect(first.status, first.text).to.equal(operation.route.responder.status);
      if (operation.route.responder.noStore !== 'always') return expectReplay(second, first);
      expect([isReplay(first), isReplay(second), second.status]).to.deep.equal([false, true, 201]);
      expect(first.body.data).to.deep.include(second.body.data);
      expect(Object.keys(first.body.data)).to.have.length.above(Object.keys(second.body.data).length);
    },
  },
  {
    title: 'responds 422 to a key of another request, and goes on to replay the first',
    isFor: takesKey,
    check: async (shop, operation) => {
      const request = { ...(await shop.samples.request(operation)), headers: key() };
      const first = await shop.admin(request);
      expect(first.status, first.text).to.be.below(300);
      const other = await shop.admin({ ...request, body: another(operation, request.body) });
      expectProblem(other, '422 IDEMPOTENCY_KEY_REUSED');
      expect(isReplay(await shop.admin(request))).to.equal(true);
    },
  },
  {
    title: 'ignores a key as GET and DELETE, also one that is invalid',
    isFor: (operation) => !takesKey(operation),
    check: async (shop, operation) => {
      const request = await shop.samples.request(operation);
      if (operation.method === 'DELETE') {
        const { address } = shop.samples.form(operation);
        for (const value of ['the-same', ...invalidKeys])
          expect((await shop.admin({ ...request, address, headers: key(value) })).status).to.equal(404);
      }
      for (const value of operation.method === 'DELETE'
        ? ['the-same']
        : ['the-same', 'the-same', ...invalidKeys]) {
        const response = await shop.admin({ ...request, headers: key(value) });
        expect(response.status, response.text).to.equal(operation.route.responder.status);
        expect(isReplay(response)).to.equal(false);
      }
    },
  },
];
