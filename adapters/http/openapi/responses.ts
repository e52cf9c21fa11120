import { type ErrorKind, meanings } from '../errors.ts';
import type { Route } from '../route.ts';
import type { Schema } from '../schema.ts';
import { type HeaderName, headerRefs } from './components.ts';

/** The codes that a client meets for these refusals. */
export const codesOf = (refusals: readonly ErrorKind[]): readonly string[] => [
  ...new Set(refusals.map((kind) => meanings[kind].code)),
];

/** Everything that can come back, by status. */
export const responses = (route: Route) => ({
  [route.answer.status]: success(route),
  ...(route.method === 'GET' && route.answer.shows === 'one' && { 304: notModified }),
  ...refusalsByStatus(route),
});

const rateLimit: readonly HeaderName[] = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'];

const success = ({ answer: { status, shows, shown }, key }: Route) => {
  const name = shown?.name ?? '';
  const schema = { $ref: `#/components/schemas/${name}` };
  return {
    description: shows === 'nothing' ? 'Done.' : shows === 'page' ? `A page of them.` : `The ${name}.`,
    headers: headerRefs([
      'X-Request-Id',
      ...rateLimit,
      ...(key === 'ignored' ? [] : (['Idempotent-Replayed'] as const)),
      ...(shows === 'one' ? (['ETag'] as const) : []),
      ...(status === 201 ? (['Location'] as const) : []),
    ]),
    ...(shows !== 'nothing' && {
      content: { 'application/json': { schema: shows === 'page' ? pageOf(schema) : dataOf(schema) } },
    }),
  };
};

const notModified = {
  description: 'The version that is known is the latest.',
  headers: headerRefs(['X-Request-Id', ...rateLimit, 'ETag']),
};

const closed = (properties: Readonly<Record<string, Schema>>): Schema => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});

const dataOf = (data: Schema): Schema => closed({ data });

const pageOf = (item: Schema): Schema =>
  closed({
    data: { type: 'array', items: item, maxItems: 100 },
    pagination: closed({
      next_cursor: { type: ['string', 'null'], description: 'Null on the last page.' },
      has_more: { type: 'boolean' },
      limit: { type: 'integer', minimum: 1, maximum: 100 },
    }),
    links: closed({ next: { type: ['string', 'null'], description: 'The next page; null on the last.' } }),
  });

const refusalsByStatus = ({ refusals, key }: Route) => {
  const byStatus = Object.groupBy(refusals, (kind) => meanings[kind].status);
  return Object.fromEntries(
    Object.entries(byStatus).map(([status, kinds = []]) => [status, refusal(Number(status), kinds, key)]),
  );
};

const refusal = (status: number, kinds: readonly ErrorKind[], key: Route['key']) => {
  const codes = codesOf(kinds);
  const waits = kinds.some(
    (kind) => kind === 'rate-limited' || kind === 'unavailable' || kind === 'key-in-progress',
  );
  return {
    description: codes.map((code) => `\`${code}\``).join(', '),
    headers: headerRefs([
      'X-Request-Id',
      ...rateLimit,
      ...(waits ? (['Retry-After'] as const) : []),
      ...(status === 401 ? (['WWW-Authenticate'] as const) : []),
      ...(key === 'ignored' ? [] : (['Idempotent-Replayed'] as const)),
    ]),
    content: { 'application/json': { schema: envelopeOf(codes) } },
  };
};

const detail = closed({
  field: { type: 'string', description: 'The field at fault; nested ones are dotted.' },
  message: { type: 'string' },
});

const envelopeOf = (codes: readonly string[]): Schema =>
  closed({
    error: {
      type: 'object',
      properties: {
        code: { type: 'string', enum: codes },
        message: { type: 'string', description: 'For people. It may be reworded.' },
        details: { type: 'array', items: detail, maxItems: 100 },
      },
      required: ['code', 'message'],
      additionalProperties: false,
    },
    request_id: { type: 'string' },
  });
