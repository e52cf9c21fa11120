import { expect } from 'chai';
import { expectCommonHeaders, expectProblem, expectRateLimit } from '../../support/protocol.ts';
import { nowhere } from '../../support/shop.ts';
import type { RouteShop } from '../route-shop.ts';
import { contentOf, type Declared, isOfItem } from '../table.ts';
import { everyRoute, type Rule } from './rule.ts';

/** What no resource has as its id. */
const wrongIds = [nowhere, 'no-id', `${nowhere}0`, '%00', "'%20or%20'1"];

/** Methods that a client of the web can send. */
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'PURGE', 'PROPFIND'];

/** Those of its path, as Allow lists them. */
const allowedAt = ({ declared }: RouteShop, { path }: Declared): readonly string[] => {
  const own = declared.filter((one) => one.path === path).map(({ method }) => method);
  return ['OPTIONS', ...(own.includes('GET') ? ['HEAD'] : []), ...own];
};

const allowIn = (headers: Headers): readonly string[] | undefined => headers.get('Allow')?.split(', ');

/** The steps of a path that are ids. */
const idsIn = ({ path }: Declared): readonly number[] =>
  path.split('/').flatMap((step, place) => (step.startsWith('{') ? [place] : []));

/** What is at a path, and by which methods. */
export const pathRules: readonly Rule[] = [
  {
    title:
      'responds 404 to an id that no resource has, to text that is no id and to an id in another parent, and says the same of all',
    isFor: ({ path }) => path.includes('{'),
    check: async (shop, operation) => {
      const request = await shop.samples.request(operation);
      const [path = '', query = ''] = request.address.split('?');
      const places = idsIn(operation);
      const isNested = isOfItem(operation) && places.length > 1;
      const elsewhere = isNested ? (await shop.samples.address(operation.path)).split('/').slice(-1) : [];
      for (const place of places) {
        const ids = place === places.at(-1) ? [...wrongIds, ...elsewhere] : wrongIds;
        const errors = new Set<string>();
        for (const id of ids) {
          const address = `${path.split('/').with(place, id).join('/')}?${query}`;
          const { headers = {} } = shop.samples.form(operation);
          const response = await shop.admin({ ...request, address, headers });
          expectProblem(response, `404 ${response.body?.error?.code}`);
          errors.add(JSON.stringify(response.body.error));
        }
        expect([...errors]).to.have.lengthOf(1);
        expect([...errors][0]).not.to.include(nowhere);
      }
    },
  },
  {
    title: 'finds a resource by its id in upper case too',
    isFor: (operation) => operation.method === 'GET' && isOfItem(operation),
    check: async (shop, operation) => {
      const address = await shop.samples.read(operation.path);
      const [found, again] = [
        await shop.admin({ method: 'GET', address }),
        await shop.admin({
          method: 'GET',
          address: address.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, (id) => id.toUpperCase()),
        }),
      ];
      expect(found.status, found.text).to.equal(200);
      expect(again.status, again.text).to.equal(200);
      expect(again.body.data.id).to.equal(found.body.data.id);
    },
  },
  {
    title: 'is among the methods that Allow lists, in a 405 and to OPTIONS without a credential',
    isFor: everyRoute,
    check: async (shop, operation) => {
      const allowed = allowedAt(shop, operation);
      const { address } = shop.samples.form(operation);
      const preflight = {
        Origin: 'https://anywhere.example',
        'Access-Control-Request-Method': operation.method,
      };
      for (const token of [undefined, 'nonsense']) {
        const options = await shop.with(token)({ method: 'OPTIONS', address, headers: preflight });
        expect([options.status, options.text]).to.deep.equal([204, '']);
        expect(allowIn(options.headers)).to.have.members(allowed);
        expectCommonHeaders(options);
      }
      for (const method of methods.filter((name) => !allowed.includes(name))) {
        const response = await shop.admin({ method, address });
        expectProblem(response, '405 METHOD_NOT_ALLOWED');
        expectRateLimit(response);
        expect(allowIn(response.headers), method).to.have.members(allowed);
      }
    },
  },
  {
    title: 'responds to HEAD as to GET, without the body',
    isFor: ({ method }) => method === 'GET',
    check: async (shop, operation) => {
      const found =
        contentOf(operation) === 'one' ? await shop.samples.request(operation) : shop.samples.form(operation);
      for (const request of [
        found,
        { ...found, address: `${found.address.split('?')[0]}?no_such_parameter` },
      ]) {
        const got = await shop.admin(request);
        const head = await shop.admin({ ...request, method: 'HEAD' });
        expect([head.status, head.text]).to.deep.equal([got.status, '']);
        for (const name of ['ETag', 'Content-Type', 'Vary'])
          expect(head.headers.get(name), name).to.equal(got.headers.get(name));
        // Background jobs may change a list meanwhile.
        if (contentOf(operation) === 'one' || got.status !== 200)
          expect(head.headers.get('Content-Length')).to.equal(`${Buffer.byteLength(got.text)}`);
        else expect(Number(head.headers.get('Content-Length'))).to.be.above(0);
        expectCommonHeaders(head);
      }
    },
  },
  {
    title: 'is at its path alone: not with a slash behind it, two slashes in it or another case',
    isFor: everyRoute,
    check: async (shop, operation) => {
      const { address, ...request } = shop.samples.form(operation);
      const [path = '', query = ''] = address.split('?');
      for (const other of [
        `${path}/`,
        path.replace('/v1/', '/v1//'),
        path.replace(/[a-z-]+$|\/[a-z-]+\//, (name) => name.toUpperCase()),
      ])
        expectProblem(await shop.admin({ ...request, address: `${other}?${query}` }), '404 NOT_FOUND');
    },
  },
  {
    title: 'is redirected to from its path without a version, with method, body and query',
    isFor: everyRoute,
    check: async (shop, operation) => {
      const request = shop.samples.form(operation);
      const address = `${request.address.replace('/v1/', '/')}${request.address.includes('?') ? '' : '?a=1'}`;
      const response = await shop.admin({ ...request, address });
      expect([response.status, response.headers.get('Location')]).to.deep.equal([307, `/v1${address}`]);
    },
  },
];
