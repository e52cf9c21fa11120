import type { Json } from '../../support/client.ts';
import { nowhere, tea } from '../../support/shop.ts';
import {
  responding,
  taking,
  type WrongRoute,
  withBody,
  withHeader,
  withoutHeader,
  withParameters,
} from './faults.ts';

/** Faults of callers, requests and paths. */
export const wrongRequests: readonly WrongRoute[] = [
  [
    'names no scheme in a 401',
    'GET /v1/shelves',
    'responds 401 without a valid credential, and names the scheme Bearer',
    responding((response) => withHeader(response, 'WWW-Authenticate')),
  ],
  [
    'names no scope in a 403',
    'GET /v1/shelves/{id}',
    'responds 403 without its scope, and names it, and to a key with that scope alone it does not',
    responding(({ status, body }) =>
      status === 403 ? withBody({ ...body, error: { ...body.error, message: 'No.' } }) : {},
    ),
  ],
  [
    'lets customers in',
    'POST /v1/shelves',
    'responds 403 below its role, and names what is missing, and to that role and above it does not',
    responding(({ status }) => (status === 403 ? { status: 201 } : {})),
  ],
  [
    'checks the body first',
    'POST /v1/shelves',
    'responds 403 before it reads id, query and body',
    responding((_response, { body }) =>
      body === '{' ? { status: 400, ...withBody({ error: { code: 'BAD_REQUEST', message: 'No.' } }) } : {},
    ),
  ],
  [
    'ignores unknown parameters',
    'DELETE /v1/shelves/{id}',
    'responds 422 to unknown parameters, and names each',
    withParameters(() => ''),
  ],
  [
    'takes the last of two parameters',
    'GET /v1/shelves',
    'responds 422 to a parameter that is given twice, and names it',
    withParameters((query) => query.split('&').at(-1) ?? ''),
  ],
  [
    'has a default for what is required',
    'GET /v1/sales',
    'responds 422 without a required parameter, and names it',
    withParameters((query) => query || 'from=2026-03-01T00:00:00Z'),
  ],
  [
    'reads over broken percent-encoding',
    'GET /v1/shelves',
    'responds 400 to a query with broken percent-encoding',
    withParameters((query) => query.replaceAll(/%(?![0-9a-f]{2})|%ff/g, '')),
  ],
  [
    'takes unknown fields by its declaration',
    'POST /v1/lax-shelves',
    'responds 422 to fields that are unknown or only read, and names each',
  ],
  [
    'has a default for a required field',
    'POST /v1/shelves',
    'responds 422 without a required field, and names it',
    taking(({ body }) => (typeof body === 'object' ? { body: { ...tea, ...body } } : {})),
  ],
  [
    'makes a text of anything',
    'POST /v1/shelves',
    'responds 422 to a value of another type in each field, and names the field',
    taking(({ body }) => ({ body: { ...(body as object), name: `${(body as Json).name}` } })),
  ],
  [
    'reads an empty body as an empty object',
    'PATCH /v1/shelves/{id}',
    'responds 400 to a body that is no JSON, and 422 to JSON that is no object',
    taking(({ body }) => ({ body: body === '' ? {} : body })),
  ],
  [
    'reads any media type',
    'POST /v1/shelves',
    'responds 415 to a body of another media type, and takes a merge patch as PATCH alone',
    taking((request) => withoutHeader(request, 'Content-Type')),
  ],
  [
    'reads compressed bodies',
    'POST /v1/shelves',
    'responds 415 to a compressed body',
    taking((request) => ({ ...withoutHeader(request, 'Content-Encoding'), body: tea })),
  ],
  [
    'reads longer bodies',
    'PATCH /v1/shelves/{id}',
    'responds 413 to a body of more than 100 KiB, and reads one of as much',
    taking(({ body }) => ({ body: `${body}`.trim() })),
  ],
  [
    'names the id in a 404 by its use case',
    'GET /v1/lax-shelves/{id}',
    'responds 404 to an id that no resource has, to text that is no id and to an id in another parent, and says the same of all',
  ],
  [
    'finds ids in lower case only',
    'GET /v1/shelves/{id}',
    'finds a resource by its id in upper case too',
    taking(({ address }) => ({ address: address.replace(/[^/]*[A-F][^/]*$/, nowhere) })),
  ],
  [
    'leaves HEAD out of Allow',
    'GET /v1/shelves',
    'is among the methods that Allow lists, in a 405 and to OPTIONS without a credential',
    responding((response) =>
      response.headers.has('Allow')
        ? withHeader(response, 'Allow', `${response.headers.get('Allow')}`.replace('HEAD, ', ''))
        : {},
    ),
  ],
  [
    'has no length to HEAD',
    'GET /v1/shelves/{id}',
    'responds to HEAD as to GET, without the body',
    responding((response, { method }) => (method === 'HEAD' ? withHeader(response, 'Content-Length') : {})),
  ],
  [
    'is behind a slash too',
    'GET /v1/shelves',
    'is at its path alone: not with a slash behind it, two slashes in it or another case',
    taking(({ address }) => ({ address: address.replace(/\/(?=\?|$)/, '') })),
  ],
  [
    'is redirected to without its query',
    'GET /v1/shelves',
    'is redirected to from its path without a version, with method, body and query',
    responding((response) =>
      withHeader(response, 'Location', response.headers.get('Location')?.split('?')[0]),
    ),
  ],
];
