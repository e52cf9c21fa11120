import type { Schema } from '../schema.ts';

const visible = '^[\\x21-\\x7e]+$';

const parameter = (name: string, schema: Schema, description: string, required = false) => ({
  name,
  in: 'header',
  required,
  description,
  schema,
});

const key: Schema = { type: 'string', minLength: 1, maxLength: 255, pattern: visible };
const aboutKeys =
  'Stands for this request for 24 hours. Sent again with it, the same request gets the same answer and does nothing again.';

/** The headers that a request can have. */
export const parameters = {
  RequestId: parameter(
    'X-Request-Id',
    { type: 'string', maxLength: 200 },
    'Comes back in the answer. Made anew when it is not 1 to 200 visible ASCII characters.',
  ),
  IdempotencyKey: parameter('Idempotency-Key', key, aboutKeys),
  RequiredIdempotencyKey: parameter('Idempotency-Key', key, aboutKeys, true),
  IfMatch: parameter(
    'If-Match',
    { type: 'string' },
    'The ETag of the version that is to be changed. 412 when it has changed meanwhile.',
  ),
  IfNoneMatch: parameter(
    'If-None-Match',
    { type: 'string' },
    'The ETag of the version that is known. 304 when there is no newer one.',
  ),
};

const header = (schema: Schema, description: string) => ({ description, schema });

/** The headers that an answer can have. */
export const headers = {
  'X-Request-Id': header({ type: 'string' }, "The request's own, or a new one."),
  'X-RateLimit-Limit': header({ type: 'integer' }, 'How many requests the API key has in a window.'),
  'X-RateLimit-Remaining': header({ type: 'integer' }, 'How many are left in this one.'),
  'X-RateLimit-Reset': header({ type: 'integer' }, 'When the next one begins, in seconds since 1970.'),
  'Retry-After': header({ type: 'integer', minimum: 1 }, 'Seconds after which to try again.'),
  'WWW-Authenticate': header({ type: 'string' }, 'How to authenticate.'),
  'Idempotent-Replayed': header(
    { type: 'string', const: 'true' },
    'There when the request was answered before, and this is that answer.',
  ),
  ETag: header({ type: 'string', pattern: '^"\\d+"$' }, 'Of this version, for If-Match and If-None-Match.'),
  Location: header({ type: 'string' }, 'Where it is now.'),
};

export type HeaderName = keyof typeof headers;
export type ParameterName = keyof typeof parameters;

export const headerRefs = (names: readonly HeaderName[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

export const parameterRef = (name: ParameterName) => ({ $ref: `#/components/parameters/${name}` });
