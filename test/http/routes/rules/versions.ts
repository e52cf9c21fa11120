import { expect } from 'chai';
import type { ApiResponse } from '../../support/client.ts';
import { expectProblem } from '../../support/protocol.ts';
import { contentOf, type Declared, isOfItem } from '../table.ts';
import type { Rule } from './rule.ts';

const isWrite = (operation: Declared): boolean => isOfItem(operation) && operation.method !== 'GET';

const expectRead = (response: ApiResponse, status: 200 | 304, tag: string): void => {
  expect([response.status, response.headers.get('ETag')], response.text).to.deep.equal([status, tag]);
  if (status === 304) expect(response.text).to.equal('');
};

/** Conditions by version (RFC 9110 section 13). */
export const versionRules: readonly Rule[] = [
  {
    title: 'is read under its version as ETag, and is 304 to If-None-Match and 412 to If-Match accordingly',
    isFor: (operation) => operation.method === 'GET' && contentOf(operation) === 'one',
    check: async (shop, operation) => {
      const request = await shop.samples.request(operation);
      const get = (headers: Readonly<Record<string, string>>) => shop.admin({ ...request, headers });
      const found = await get({});
      const tag = `"${found.body.data.version}"`;
      expectRead(found, 200, tag);
      for (const condition of [tag, `W/${tag}`, `"0", ${tag}`, '*'])
        expectRead(await get({ 'If-None-Match': condition }), 304, tag);
      for (const condition of ['"0"', '"999"', tag.slice(1, -1)])
        expectRead(await get({ 'If-None-Match': condition }), 200, tag);
      for (const condition of [tag, '*']) expectRead(await get({ 'If-Match': condition }), 200, tag);
      for (const condition of ['"999"', '"0"', tag.slice(1, -1), ''])
        expectProblem(await get({ 'If-Match': condition, 'If-None-Match': tag }), '412 PRECONDITION_FAILED');
    },
  },
  {
    title: 'is written and deleted at the version in If-Match, and at no other or one in If-None-Match',
    isFor: isWrite,
    check: async (shop, operation) => {
      const request = await shop.samples.request(operation);
      const { address } = request;
      const send = (headers: Readonly<Record<string, string>>) =>
        shop.admin({ ...request, headers: { ...shop.samples.form(operation).headers, ...headers } });
      const read = await shop.admin({ method: 'GET', address });
      const tag = `${read.headers.get('ETag')}`;
      for (const [name, value] of [
        ['If-Match', '"999"'],
        ['If-Match', tag.slice(1, -1)],
        ['If-Match', ''],
        ['If-None-Match', tag],
        ['If-None-Match', '*'],
        ['If-None-Match', tag.slice(1, -1)],
      ] as const)
        expectProblem(await send({ [name]: value }), '412 PRECONDITION_FAILED');
      expectRead(await shop.admin({ method: 'GET', address }), 200, tag);
      const written = await send({ 'If-Match': tag, 'If-None-Match': '"999"' });
      expect(written.status, written.text).to.equal(operation.route.responder.status);
      if (written.text !== '') expect(written.headers.get('ETag')).to.equal(`"${written.body.data.version}"`);
    },
  },
  {
    title: 'has no version as a list, so that If-Match is 412 and If-None-Match is ignored',
    isFor: ({ method, route }) => method === 'GET' && route.responder.content !== 'one',
    check: async (shop, operation) => {
      const request = await shop.samples.request(operation);
      const get = (headers: Readonly<Record<string, string>>) => shop.admin({ ...request, headers });
      expectProblem(await get({ 'If-Match': '"1"' }), '412 PRECONDITION_FAILED');
      for (const headers of [{}, { 'If-Match': '*' }, { 'If-None-Match': '"1"' }]) {
        const { status, headers: sent } = await get(headers);
        expect([status, sent.has('ETag')]).to.deep.equal([200, false]);
      }
    },
  },
];
