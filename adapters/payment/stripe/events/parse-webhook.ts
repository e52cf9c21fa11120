import Stripe from 'stripe';
import type { ParsedWebhook, ProviderWebhook } from '#application/ports/charge-lifecycle.ts';
import { Instant } from '#domain/instant.ts';
import { providerObjectOf } from './event-types.ts';

/** How old a signature may be, in seconds. An older message may be one that was recorded and is sent again. */
const maxAgeSeconds = 300;

const { signature: signatures } = Stripe.webhooks;

/**
 * Verifies and parses a request to a webhook endpoint: a snapshot event or a thin one. Nothing is read before its signature is found valid, and then
 * only the type and the id of the object. https://docs.stripe.com/webhooks/signature
 * @param secrets of the endpoints, and those that replace them: each is tried
 */
export const parseWebhook = (
  { body, headers: { 'stripe-signature': header } }: ProviderWebhook,
  secrets: readonly string[],
  now: Instant,
): ParsedWebhook => {
  const text = textOf(body);
  if (text === undefined || typeof header !== 'string') return 'forged';
  const verified = (secret: string, maxAge: number): boolean =>
    isSigned(text, { header, secret, maxAge, now });
  const secret = secrets.find((each) => verified(each, noLimit));
  if (secret === undefined) return 'forged';
  if (!verified(secret, maxAgeSeconds)) return 'stale';
  return objectsIn(text);
};

/** The value of the SDK for a signature of any age. */
const noLimit = 0;

interface Signed {
  readonly header: string;
  readonly secret: string;
  readonly maxAge: number;
  readonly now: Instant;
}

const isSigned = (text: string, { header, secret, maxAge, now }: Signed): boolean => {
  try {
    return (
      signatures?.verifyHeader(text, header, secret, maxAge, undefined, Instant.milliseconds(now)) ?? false
    );
  } catch {
    return false;
  }
};

/** The body byte by byte: the SDK itself would drop a byte order mark, and replace what is no UTF-8, and verify what is left. */
const textOf = (body: Uint8Array): string | undefined => {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body);
  } catch {
    return undefined;
  }
};

/** The fields of both forms that are read. */
interface Readable {
  readonly type?: unknown;
  readonly data?: { readonly object?: { readonly id?: unknown } | null } | null;
  readonly related_object?: { readonly id?: unknown } | null;
}

const objectsIn = (text: string): ParsedWebhook => {
  let event: Readable | null;
  try {
    event = JSON.parse(text);
  } catch {
    return 'malformed';
  }
  if (typeof event !== 'object' || event === null) return 'malformed';
  const { type, data, related_object } = event;
  const id = related_object?.id ?? data?.object?.id;
  const providerObject =
    typeof type === 'string' && typeof id === 'string' ? providerObjectOf(type, id) : undefined;
  return providerObject === undefined ? [] : [providerObject];
};
