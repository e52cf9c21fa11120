import { described, named } from '#adapters/wire/codec.ts';
import { id, instant, integer, nullable, oneOf, text } from '#adapters/wire/codecs.ts';
import { strictObject } from '#adapters/wire/object-codec.ts';
import { derived, resourceView } from '#adapters/wire/view.ts';
import type { UseCases } from '#application/application.ts';
import { keyStatuses } from '#application/ports/idempotency.ts';
import type { processNames } from '#application/use-case.ts';
import type { IdempotencyKey } from '#application/use-cases/idempotency-keys.ts';
import { Id } from '#domain/resource.ts';
import { kindIn } from '../routing/collections.ts';
import { isIdempotencyKey } from '../routing/idempotency-key.ts';
import { ok, page } from '../routing/responders.ts';
import { route } from '../routing/route.ts';
import { outcomeIn } from '../routing/stored-outcome.ts';

const anyText = (maxLength: number, pattern?: RegExp) =>
  text({ minLength: 1, maxLength, ...(pattern && { pattern }), violation: () => undefined });

const keyText = text({
  ...{ minLength: 1, maxLength: 255, pattern: /^[\x21-\x7e]+$/ },
  violation: (value) => (isIdempotencyKey(value) ? undefined : 'must be 1 to 255 visible ASCII characters'),
});
const exampleKey = '5f0c7b62-1d6e-4c53-9a0b-0b8f5a5f3c11';

const key = described(keyText, 'The `Idempotency-Key` of the request.', exampleKey);
const shownKey = described(
  nullable(keyText),
  'The `Idempotency-Key` of the request; null once it is erased.',
  exampleKey,
);

const status = described(
  oneOf(keyStatuses),
  '`in_progress`: a request works under the key. `open`: it stopped without an outcome, and a retry with the key takes it up. `completed`: a retry gets the stored response.',
  'completed',
);

const userId = described(id('user'), 'The user of the key. Only administrators see the keys of others.');

/** A slash in brackets, because openapi-zod-client escapes any other one twice. */
const path = anyText(1_000, /^[/][\x21-\x7e]*$/);

const subject = named(
  'IdempotencyKeySubject',
  strictObject({
    type: described(anyText(50, /^[a-z_]+$/), 'What it is.', 'payment'),
    id: described(id('payment'), 'Its id.'),
    path: described(path, 'Where to read it.', '/v1/payments/019ca945-0a00-7b67-a8e9-6b7b2a3c4d5e'),
  }),
);

/** The collection of what each process works on. */
const collectionOf: Readonly<Record<(typeof processNames)[number], string>> = {
  payment: 'payments',
  cancellation: 'payments',
  refund: 'refunds',
  capture: 'captures',
};

/** A resource in a path: `/v1/orders/{id}/items/{id}`. */
const resourcePath = /^(\/v\d+)?(?:\/[a-z-]+\/[^/]+)?\/([a-z-]+)\/([^/]+)$/;

/** What the request has made or changed. */
const subjectOf = ({ process, path, responseStart }: IdempotencyKey) => {
  if (process !== null) {
    const collection = (collectionOf as Readonly<Record<string, string>>)[process.name];
    return collection === undefined
      ? null
      : resourceAt(`/${path.split('/')[1]}/${collection}/${process.subject}`);
  }
  const { status, errorCode, location } = outcomeIn(responseStart);
  return status === null || errorCode !== null ? null : resourceAt(location ?? path);
};

const resourceAt = (path: string) => {
  const [, , collection = '', name = ''] = resourcePath.exec(path) ?? [];
  const id = Id.parse<Id<'payment'>>(name);
  return id === undefined ? null : { type: kindIn(collection).replaceAll('-', '_'), id, path };
};

const status100to599 = { minimum: 100, maximum: 599, violation: () => undefined };
const attempts = { minimum: 1, maximum: 2 ** 31 - 1, violation: () => undefined };

const view = resourceView<IdempotencyKey>()('IdempotencyKey', {
  userId,
  key: shownKey,
  status,
  method: described(anyText(10, /^[A-Z]+$/), 'The method of the first request.', 'POST'),
  path: described(
    path,
    'The path of the first request, without its query. It has placeholders in place of ids that no resource can have.',
    '/v1/payments',
  ),
  requestId: described(
    nullable(anyText(200)),
    'The `X-Request-Id` of the first request; null once it is erased.',
    '6692ed0d-9843-41e1-be38-f62fcba2e002',
  ),
  attemptCount: described(
    integer(attempts),
    'How often the operation was begun. A retry of an `open` key counts, and so does Portico itself; a replay does not.',
    1,
  ),
  responseStatus: derived<IdempotencyKey, number | null, number | null>(
    described(
      nullable(integer(status100to599)),
      'The status of the stored response; null while there is none, and once it is erased.',
      201,
    ),
    ({ responseStart }) => outcomeIn(responseStart).status,
  ),
  errorCode: derived<IdempotencyKey, string | null, string | null>(
    described(
      nullable(anyText(50, /^[A-Z_]+$/)),
      'The code of the stored response, if it is an error.',
      null,
    ),
    ({ responseStart }) => outcomeIn(responseStart).errorCode,
  ),
  subject: derived(
    described(
      nullable(subject),
      'What the request has made or changed, or is about to: read it to see what became of it. Null when it was rejected.',
    ),
    subjectOf,
  ),
  leaseUntil: described(
    nullable(instant),
    'Until when the request in progress keeps others out; null once it is settled, and for requests that call no payment provider.',
    null,
  ),
  expiresAt: described(
    instant,
    'When the key can be used for another request. A key that is not settled stays until it is.',
    '2026-03-02T12:00:00.000Z',
  ),
});

export const idempotencyKeyRoutes = ({ idempotencyKeys }: UseCases) => [
  route('GET /idempotency-keys', idempotencyKeys.list, {
    summary: 'List idempotency keys',
    filters: { key, status, userId },
    input: ({ filter, page }) => ({ filter, page }),
    responder: page(view),
  }),
  route('GET /idempotency-keys/{id}', idempotencyKeys.get, {
    summary: 'Get an idempotency key',
    input: ({ path }) => path.id,
    responder: ok(view),
  }),
];
