import type { Schema } from '#adapters/wire/codec.ts';

const parameter = (name: string, schema: Schema, description: string, required = false) => ({
  name,
  in: 'header',
  required,
  description,
  schema,
});

/** Any header value, up to the 16 KiB of all headers. A condition that cannot be parsed matches no version. */
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
  'Identifies this request for 24 hours. The same request with the same key gets the same response, and happens once.';
const paymentKeyDescription = `${keyDescription} Make a new key for each attempt to pay or refund: a declined payment has used its key up.`;

/** The headers of requests. */
export const parameters = {
  RequestId: parameter(
    'X-Request-Id',
    { ...anyHeaderValue, examples: requestId.examples ?? [] },
    'Returned in the response. Replaced unless it is 1 to 200 visible ASCII characters other than `<` and `>`.',
  ),
  IdempotencyKey: parameter('Idempotency-Key', keySchema, keyDescription),
  RequiredIdempotencyKey: parameter('Idempotency-Key', keySchema, paymentKeyDescription, true),
  IfMatch: parameter(
    'If-Match',
    // Of any version: the example is right for every resource.
    { ...anyHeaderValue, examples: ['*'] },
    'The ETag of the version to change or read, several ETags, or `*`. 412 when the resource has another version.',
  ),
  IfNoneMatch: parameter(
    'If-None-Match',
    // Of no version, so that a write with it is not 412.
    { ...anyHeaderValue, examples: ['"0"'] },
    'The ETag of the version you have, several ETags, or `*`. When it is the latest, a GET is 304 and a write 412.',
  ),
  Prefer: parameter(
    'Prefer',
    { ...anyHeaderValue, examples: ['wait=1'] },
    '`wait=20` waits up to that many seconds, from 1 to 30, while there is nothing new, or the first request with the idempotency key is in progress. Longer is 30, and all else is ignored.',
  ),
};

const header = (schema: Schema, description: string, required = false) => ({ description, required, schema });

const count: Schema = { type: 'integer', format: 'int64', minimum: 0, maximum: Number.MAX_SAFE_INTEGER };
const list: Schema = { type: 'string', maxLength: 1_000, pattern: '^[A-Za-z0-9-]+(, [A-Za-z0-9-]+)*$' };
const date = '^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \\d{2} [A-Z][a-z]{2} \\d{4} \\d{2}:\\d{2}:\\d{2} GMT$';

/** The headers of responses, except Location, whose example differs in each. */
export const headers = {
  'X-Request-Id': header(requestId, 'The X-Request-Id of the request, or a generated one.', true),
  'X-RateLimit-Limit': header(
    { ...count, examples: [600] },
    'The requests that the API key may send in a window. Present once the key is known.',
  ),
  'X-RateLimit-Remaining': header({ ...count, examples: [597] }, 'The requests left in this window.'),
  'X-RateLimit-Reset': header(
    { ...count, examples: [1_772_366_460] },
    'When the next window begins, in seconds since 1970.',
  ),
  'Retry-After': header(
    { type: 'integer', format: 'int32', minimum: 1, maximum: 2 ** 31 - 1, examples: [1] },
    'Retry after this many seconds.',
  ),
  'WWW-Authenticate': header({ type: 'string', const: 'Bearer' }, 'The authentication scheme.', true),
  Link: header(
    {
      ...{ type: 'string', maxLength: 2_048, pattern: '^<[^>]+>; rel="(help|monitor)"$' },
      examples: ['</docs>; rel="help"'],
    },
    'With `rel="help"` the documentation of this server, where clients can reach it. With `rel="monitor"` what became of the request with this idempotency key.',
  ),
  'Idempotent-Replayed': header(
    { type: 'string', const: 'true' },
    'Present on a replay: this is the stored response to an earlier request with the same key.',
  ),
  'Preference-Applied': header(
    { type: 'string', maxLength: 7, pattern: '^wait=([1-9]|[12]\\d|30)$', examples: ['wait=20'] },
    'Present when the request was free to wait, as its `Prefer` says. Absent when too many requests wait, or the server shuts down: the response came at once.',
  ),
  Vary: header(
    { type: 'string', const: 'Prefer' },
    'What else than the address the response depends on.',
    true,
  ),
  'Cache-Control': header(
    { type: 'string', const: 'no-store' },
    'Present when the response has something that no cache may keep: a token, or the action of a payer.',
  ),
  ETag: header(
    { type: 'string', maxLength: 17, pattern: '^"\\d+"$', examples: ['"1"'] },
    'The version of the resource, for If-Match and If-None-Match.',
    true,
  ),
  'Access-Control-Allow-Origin': header(
    {
      type: 'string',
      maxLength: 2_048,
      pattern: '^(\\*|[a-z]+://[^\\s,]+)$',
      examples: ['https://shop.example'],
    },
    'The one origin whose pages may call the API.',
    true,
  ),
  'Access-Control-Allow-Methods': header(
    { ...list, examples: ['GET, POST, PUT, DELETE'] },
    'The methods that these pages may use.',
    true,
  ),
  'Access-Control-Allow-Headers': header(
    { ...list, examples: ['Content-Type, Authorization'] },
    'The headers that these pages may send.',
    true,
  ),
  'Strict-Transport-Security': header(
    { type: 'string', const: 'max-age=31536000; includeSubDomains' },
    'Use HTTPS only.',
    true,
  ),
  'X-Content-Type-Options': header(
    { type: 'string', const: 'nosniff' },
    'Do not guess the content type.',
    true,
  ),
  Deprecation: header(
    { type: 'string', const: 'true' },
    'Present when this version of the API is deprecated.',
  ),
  Sunset: header(
    { type: 'string', maxLength: 29, pattern: date, examples: ['Wed, 30 Jun 2027 00:00:00 GMT'] },
    'When this version of the API will be removed.',
  ),
};

/** The Location header. @param example the path of a created resource */
export const locationHeader = (example: string) =>
  header(
    { type: 'string', format: 'uri-reference', maxLength: 2_048, examples: [example] },
    'The path of the created resource.',
    true,
  );

export type HeaderName = keyof typeof headers;

/** The headers of every response. */
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
