/** The body of a webhook: the event. New types of events may appear at any time, so ignore those that you do not know. */
export interface WebhookEvent {
  /** The same in every delivery, and in the feed: drop an event whose id you have processed. */
  readonly id: string;
  /** Ascends without holes over all events. */
  readonly sequence: number;
  /** Such as `order.paid`. */
  readonly type: string;
  readonly timestamp: string;
  readonly subject: { readonly type: string; readonly id: string; readonly version: number };
  readonly order_id: string | null;
  /** What made the change; the kind is `request`, `housekeeping`, `provider` or `command`. */
  readonly cause?: {
    readonly kind: string;
    readonly request_id: string | null;
    readonly user_id: string | null;
  };
  /** Absent from a thin payload. */
  readonly changed?: readonly string[];
  /** The resource. Absent from a thin payload; null where the event is too long, or was about what you may not see. */
  readonly data?: unknown;
  /** Whether `data` was left out because the event is too long. */
  readonly truncated?: boolean;
  /** Whether this is an example that was asked for, of which nothing has happened. */
  readonly test?: boolean;
}

/** The headers of a request: those of `fetch`, or an object with the names in any case, such as Node's. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | { readonly [name: string]: string | readonly string[] | undefined };

/** The body as text or as bytes. */
type WebhookBody = string | ArrayBufferView | ArrayBuffer;

/** Why a request is no webhook of this sender. Respond with 400, and do not process it. */
export class WebhookVerificationError extends Error {
  /** `headers`: one is missing or malformed; `timestamp`: older or newer than five minutes; `signature`: it does not fit. */
  readonly code: 'headers' | 'timestamp' | 'signature';

  constructor(code: WebhookVerificationError['code'], message: string) {
    super(message);
    this.name = 'WebhookVerificationError';
    this.code = code;
  }
}

const toleranceSeconds = 5 * 60;

/** 32 bytes in base64. The comparison of texts below needs this length, and lets no other form of the same bytes through. */
const signatureForm = /^[A-Za-z0-9+/]{43}=$/;

/**
 * Verifies a webhook of Standard Webhooks 1.0 and parses it.
 * @param body exactly as it was received: JSON that was parsed and written again has other bytes
 * @param secrets of the endpoint, `whsec_...`: both during a rotation
 * @throws WebhookVerificationError; TypeError for secrets that are none, and for a body that was parsed already
 */
export const verifyWebhook = async (
  body: WebhookBody,
  headers: WebhookHeaders,
  secrets: string | readonly string[],
): Promise<WebhookEvent> => {
  const keys = (typeof secrets === 'string' ? [secrets] : secrets).map(keyOf);
  if (keys.length === 0) throw new TypeError('At least one secret is needed.');
  requireRaw(body);
  const [id, timestamp, signature] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    headerOf(headers, name),
  ) as [string, string, string];
  requireCurrent(timestamp);
  const text = textOf(body);
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${text}`);
  const expected = await Promise.all(keys.map((key) => sign(key, signed)));
  const given = signature.split(' ').map((one) => /^v1,(.*)$/s.exec(one)?.[1] ?? '');
  // Each pair is compared, so that the time reveals nothing about which of them fits.
  const fitting = expected.filter((one) => given.filter((other) => isEqual(one, other)).length > 0);
  if (fitting.length === 0) throw unfit('signature', 'No signature fits the body, its id and its time.');
  return parse(text);
};

const unfit = (code: WebhookVerificationError['code'], message: string): WebhookVerificationError =>
  new WebhookVerificationError(code, message);

const keyOf = (secret: string): Uint8Array<ArrayBuffer> => {
  const [, base64] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(secret) ?? [];
  if (base64 === undefined || base64.length % 4 !== 0)
    throw new TypeError('A secret must be whsec_ and base64, as the endpoint was created with it.');
  return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
};

const headerOf = (headers: WebhookHeaders, name: string): string => {
  const value = isGetter(headers) ? headers.get(name) : onlyValueOf(headers, name);
  if (typeof value === 'string' && value !== '') return value;
  throw unfit('headers', `The header ${name} is missing.`);
};

const isGetter = (headers: WebhookHeaders): headers is { get(name: string): string | null } =>
  typeof headers.get === 'function';

/** Of a header that came twice nothing is used. */
const onlyValueOf = (
  headers: Exclude<WebhookHeaders, { get: unknown }>,
  name: string,
): string | undefined => {
  const values = Object.keys(headers)
    .filter((key) => key.toLowerCase() === name)
    .flatMap((key) => headers[key] ?? []);
  return values.length === 1 ? values[0] : undefined;
};

const requireCurrent = (timestamp: string): void => {
  if (!/^[1-9]\d{0,11}$/.test(timestamp)) throw unfit('headers', 'webhook-timestamp is no time.');
  if (Math.abs(Date.now() / 1_000 - Number(timestamp)) > toleranceSeconds)
    throw unfit(
      'timestamp',
      'The webhook is older or newer than five minutes. Check the clock of this machine.',
    );
};

/** Not `instanceof`: a buffer of another realm has another class. */
const requireRaw = (body: unknown): void => {
  if (typeof body === 'string' || ArrayBuffer.isView(body)) return;
  if (Object.prototype.toString.call(body) === '[object ArrayBuffer]') return;
  throw new TypeError(
    'The body must be a string or bytes, as it was received: read it before any JSON parser does.',
  );
};

const bytesOf = (body: Exclude<WebhookBody, string>): Uint8Array | ArrayBuffer =>
  ArrayBuffer.isView(body) ? new Uint8Array(body.buffer, body.byteOffset, body.byteLength) : body;

/** An encoder would replace what is not well-formed, so that a text could fit that is not what was signed. */
const textOf = (body: WebhookBody): string => {
  if (typeof body === 'string') {
    if (/\p{Surrogate}/u.test(body)) throw unfit('signature', 'The body is no text in UTF-8.');
    return body;
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytesOf(body));
  } catch {
    throw unfit('signature', 'The body is no text in UTF-8.');
  }
};

const sign = async (secret: Uint8Array<ArrayBuffer>, signed: Uint8Array<ArrayBuffer>): Promise<string> => {
  const key = await crypto.subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-256' }, false, [
    'sign',
  ]);
  const bytes = new Uint8Array(await crypto.subtle.sign('HMAC', key, signed));
  return btoa(String.fromCharCode(...bytes));
};

/** Compares in a time that does not depend on where the texts differ. */
const isEqual = (expected: string, given: string): boolean => {
  if (!signatureForm.test(given)) return false;
  let difference = 0;
  for (let index = 0; index < expected.length; index += 1)
    difference |= expected.charCodeAt(index) ^ given.charCodeAt(index);
  return difference === 0;
};

const parse = (text: string): WebhookEvent => {
  try {
    return JSON.parse(text);
  } catch {
    throw unfit('signature', 'The body is no JSON.');
  }
};
