import type { Schema } from '#adapters/wire/json-schema.ts';

const parameter = (name: string, schema: Schema, description: string, required = false) => ({
  name,
  in: 'header',
  required,
  description,
  schema,
});

/** Whatever a header can hold, of 16 KiB in all. What makes no sense is refused in no other way than by its status. */
const anyHeaderValue: Schema = {
  type: 'string',
  maxLength: 16_384,
  pattern: '^[^\\x00-\\x08\\x0a-\\x1f\\x7f]*$',
};

const requestId: Schema = {
  type: 'string',
  minLength: 1,
  maxLength: 200,
  pattern: '^[\\x21-\\x3b\\x3d\\x3f-\\x7e]+$',
  examples: ['6692ed0d-9843-41e1-be38-f62fcba2e002'],
};

const keySchema: Schema = {
  type: 'string',
  minLength: 1,
  maxLength: 255,
  pattern: '^[\\x21-\\x7e]+$',
  examples: ['5f0c7b62-1d6e-4c53-9a0b-0b8f5a5f3c11'],
};
const keyDescription =
  'Stands for this request for 24 hours. Sent again with it, the same request gets the same answer and does nothing again.';

/** The headers that a request can have. */
export const parameters = {
  RequestId: parameter(
    'X-Request-Id',
    { ...anyHeaderValue, examples: requestId.examples ?? [] },
    'Comes back in the answer. Made anew when it is not 1 to 200 visible ASCII characters other than `<` and `>`.',
  ),
  IdempotencyKey: parameter('Idempotency-Key', keySchema, keyDescription),
  RequiredIdempotencyKey: parameter('Idempotency-Key', keySchema, keyDescription, true),
  IfMatch: parameter(
    'If-Match',
    { ...anyHeaderValue, examples: ['"1"'] },
    'The ETag of the version that is to be changed, several of them, or `*`. 412 when it is at none of these.',
  ),
  IfNoneMatch: parameter(
    'If-None-Match',
    { ...anyHeaderValue, examples: ['"1"'] },
    'The ETag of the version that is known, several of them, or `*`. 304 when there is no newer one.',
  ),
};

const header = (schema: Schema, description: string, required = false) => ({ description, required, schema });

const count: Schema = { type: 'integer', format: 'int64', minimum: 0, maximum: Number.MAX_SAFE_INTEGER };
const list: Schema = { type: 'string', maxLength: 1_000, pattern: '^[A-Za-z0-9-]+(, [A-Za-z0-9-]+)*$' };
const date = '^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \\d{2} [A-Z][a-z]{2} \\d{4} \\d{2}:\\d{2}:\\d{2} GMT$';

/** The headers that an answer can have, but for `location`, which is another in each. */
export const headers = {
  'X-Request-Id': header(requestId, "The request's own, or a new one.", true),
  'X-RateLimit-Limit': header(
    { ...count, examples: [600] },
    'How many requests the API key has in a window. There when the key is known.',
  ),
  'X-RateLimit-Remaining': header({ ...count, examples: [597] }, 'How many are left in this one.'),
  'X-RateLimit-Reset': header(
    { ...count, examples: [1_772_366_460] },
    'When the next one begins, in seconds since 1970.',
  ),
  'Retry-After': header(
    { type: 'integer', format: 'int32', minimum: 1, maximum: 2 ** 31 - 1, examples: [1] },
    'Seconds after which to try again.',
  ),
  'WWW-Authenticate': header({ type: 'string', const: 'Bearer' }, 'How to authenticate.', true),
  'Idempotent-Replayed': header(
    { type: 'string', const: 'true' },
    'There when the request was answered before, and this is that answer.',
  ),
  ETag: header(
    { type: 'string', maxLength: 17, pattern: '^"\\d+"$', examples: ['"1"'] },
    'Of this version, for If-Match and If-None-Match.',
    true,
  ),
  'Access-Control-Allow-Origin': header(
    {
      type: 'string',
      maxLength: 2_048,
      pattern: '^(\\*|[a-z]+://[^\\s,]+)$',
      examples: ['https://shop.example'],
    },
    'The one origin whose pages may call.',
    true,
  ),
  'Access-Control-Allow-Methods': header(
    { ...list, examples: ['GET, POST, PUT, DELETE'] },
    'What they may call.',
    true,
  ),
  'Access-Control-Allow-Headers': header(
    { ...list, examples: ['Content-Type, Authorization'] },
    'What they may send.',
    true,
  ),
  'Strict-Transport-Security': header(
    { type: 'string', const: 'max-age=31536000; includeSubDomains' },
    'Come back by HTTPS only.',
    true,
  ),
  'X-Content-Type-Options': header({ type: 'string', const: 'nosniff' }, 'Take it for what it says.', true),
  Deprecation: header({ type: 'string', const: 'true' }, 'There when this version of the API will go.'),
  Sunset: header(
    { type: 'string', maxLength: 29, pattern: date, examples: ['Wed, 30 Jun 2027 00:00:00 GMT'] },
    'When it will.',
  ),
};

/** Where something new is. @param example of an address */
export const locationHeader = (example: string) =>
  header(
    { type: 'string', format: 'uri-reference', maxLength: 2_048, examples: [example] },
    'Where it is now.',
    true,
  );

export type HeaderName = keyof typeof headers;

/** Those of every answer. */
export const commonHeaders: readonly HeaderName[] = [
  'X-Request-Id',
  'Access-Control-Allow-Origin',
  'Access-Control-Allow-Methods',
  'Access-Control-Allow-Headers',
  'Strict-Transport-Security',
  'X-Content-Type-Options',
  'Deprecation',
  'Sunset',
];
