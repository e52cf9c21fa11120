import { hash } from 'node:crypto';
import {
  responding,
  taking,
  type WrongRoute,
  withBody,
  withHeader,
  withoutHeader,
  withoutParameters,
} from './faults.ts';

const key = 'Idempotency-Key';

/** Faults of responses, keys, versions, lists and expansions. */
export const wrongResponses: readonly WrongRoute[] = [
  [
    'has a field that is not described',
    'GET /v1/shelves/{id}',
    'succeeds with its example, as the OpenAPI document describes the response',
    responding(({ status, body }) => (status === 200 ? withBody({ data: { ...body.data, cost: 1 } }) : {})),
  ],
  [
    'makes up a request id',
    'POST /v1/shelves',
    'has the common headers, those of the rate limit and the request id, in success and in an error',
    responding((response) => (response.status < 300 ? withHeader(response, 'X-Request-Id', 'other') : {})),
  ],
  [
    'says that it is elsewhere',
    'POST /v1/shelves',
    'says where what it has created is found, which its version there confirms',
    responding((response) => withHeader(response, 'Location', '/v1/shelves')),
  ],
  [
    'lets caches keep a token',
    'POST /v1/api-keys',
    'forbids caches to keep what it shows once, and forbids it of nothing else',
    responding((response) => withHeader(response, 'Cache-Control')),
  ],
  [
    'has more beside data',
    'GET /v1/shelves/{id}',
    'is empty where it has no content, and holds data alone, or data with pages and links',
    responding(({ body }) => withBody({ ...body, meta: {} })),
  ],
  [
    'makes a key where none is sent',
    'POST /v1/payments',
    'needs an Idempotency-Key where it calls the payment provider',
    taking(({ headers }) => ({ headers: { [key]: 'made-up', ...headers } })),
  ],
  [
    'takes any key',
    'POST /v1/shelves',
    'responds 400 to a key that is empty, longer than 255 characters or has spaces',
    taking((request) => withoutHeader(request, key)),
  ],
  [
    'ignores a key',
    'PATCH /v1/shelves/{id}',
    'happens once for a key, and replays its response to the byte, but for what it shows once',
    taking((request) => withoutHeader(request, key)),
  ],
  [
    'has a key for each body',
    'PATCH /v1/shelves/{id}',
    'responds 422 to a key of another request, and goes on to replay the first',
    taking(({ headers = {}, body }) => ({
      headers: { ...headers, [key]: hash('sha256', `${headers[key]} ${JSON.stringify(body)}`) },
    })),
  ],
  [
    'checks a key that it has no use for',
    'GET /v1/shelves/{id}',
    'ignores a key as GET and DELETE, also one that is invalid',
    responding((_response, { headers }) => (headers?.[key] === '' ? { status: 400 } : {})),
  ],
  [
    'has another ETag than its version by its declaration',
    'GET /v1/lax-shelves/{id}',
    'is read under its version as ETag, and is 304 to If-None-Match and 412 to If-Match accordingly',
  ],
  [
    'ignores If-Match by its declaration',
    'PATCH /v1/lax-shelves/{id}',
    'is written and deleted at the version in If-Match, and at no other or one in If-None-Match',
  ],
  [
    'has an ETag as a list',
    'GET /v1/shelves',
    'has no version as a list, so that If-Match is 412 and If-None-Match is ignored',
    responding((response) => (response.status === 200 ? withHeader(response, 'ETag', '"1"') : {})),
  ],
  [
    'takes a limit of 0 for the default',
    'GET /v1/shelves',
    'has 20 rows on a page by default and 100 at most, and responds 422 to other limits',
    withoutParameters((name, value) => name === 'limit' && value === '0'),
  ],
  [
    'ends with its first page by its declaration',
    'GET /v1/lax-shelves',
    'has each row once when all its pages are read, from either end',
  ],
  [
    'begins anew behind a damaged cursor',
    'GET /v1/shelves',
    'responds 422 to a cursor that is damaged, of another list or with other filters',
    withoutParameters((name, value) => name === 'cursor' && value.length !== 32),
  ],
  [
    'ignores a filter with an unknown value',
    'GET /v1/products',
    'responds 422 to a filter with a value that it cannot have, and names it',
    withoutParameters((_name, value) => value === 'no-such-value'),
  ],
  [
    'ignores a filter',
    'GET /v1/stock-changes',
    'finds by a filter that is a field the rows with its value alone, and keeps it in links',
    withoutParameters((name) => name === 'product_id'),
  ],
  [
    'is an empty list in a resource that does not exist',
    'GET /v1/orders/{order_id}/items',
    'responds 404 as a list in a resource that does not exist, before it reads the cursor',
    responding(() => ({ status: 200 })),
  ],
  [
    'leaves out what expand asks for',
    'GET /v1/refunds/{id}',
    'holds what expand asks for beside each resource, and has no ETag then and is never 304',
    responding(({ body }) => withBody({ data: { ...body.data, expanded: {} } })),
  ],
  [
    'ignores unknown names in expand',
    'GET /v1/orders/{order_id}',
    'responds 422 to an unknown or repeated name in expand',
    withoutParameters((_name, value) => value === 'no_such_name'),
  ],
  [
    'leaves out what the caller may not read',
    'GET /v1/orders/{order_id}',
    'responds 403 without the scope of what expand asks for, and names it',
    withoutParameters((name) => name === 'expand'),
  ],
];
