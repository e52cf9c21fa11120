import type { FormField, RequestForm } from '../samples/form.ts';
import {
  exampleValues,
  fieldId,
  headersOf,
  idNameOf,
  requestOf,
  type SampleRequest,
  urlOf,
} from '../samples/index.ts';
import type { Caller } from './caller.ts';
import { createKeys } from './idempotency-keys.ts';
import { idFilling, type KnownIds } from './ids.ts';

interface Dependencies {
  readonly caller: Pick<Caller, 'key'>;
  readonly ids: Pick<KnownIds, 'get'>;
  readonly origin: string;
}

export interface EditedRequest {
  readonly fields: readonly FormField[];
  readonly fillIds: () => void;
  readonly current: () => SampleRequest;
  readonly valueOf: (field: FormField) => string;
  readonly type: (field: FormField, value: string) => void;
  /** The text of the body as the reader writes it; undefined where there is none. */
  readonly bodyText: () => string | undefined;
  /** Why the text of the body cannot be sent; undefined when it can. */
  readonly bodyProblem: () => string | undefined;
  readonly typeBody: (text: string) => void;
  readonly renewKey: () => void;
  /** Whether the request names an id of the example, which names nothing. */
  readonly hasExample: (request: SampleRequest) => boolean;
  readonly markSent: () => void;
}

/**
 * The request of one operation, as the reader edits it. A field that the reader has filled in or emptied is never filled in by
 * the page.
 * @param form what the request is made of
 */
export const editRequest = (form: RequestForm, { caller, ids, origin }: Dependencies): EditedRequest => {
  const { method, path, fields } = form;
  const examples = exampleValues(form);
  const filling = idFilling(ids, [examples, form.body]);
  const keys = createKeys();
  const typed = new Map<string, string>();
  const untouched = new Map(Object.entries(examples));
  const hasBody = form.body !== undefined;
  let { body } = form;
  let text = hasBody ? JSON.stringify(body, null, 2) : undefined;
  let problem: string | undefined;

  /** The value of a field that the reader has not touched. */
  const fillField = ({ in: place, name }: FormField, value: string) => {
    if (place !== 'path') return value;
    // A reader must name what to delete: no id is filled in there.
    if (method === 'DELETE') return '';
    return filling.fill(`path ${name}`, name === 'id' ? idNameOf(path) : name, value);
  };
  const fillIds = () => {
    for (const field of fields)
      untouched.set(fieldId(field), fillField(field, untouched.get(fieldId(field)) ?? ''));
    if (!hasBody || problem !== undefined) return;
    const filled = filling.fillAll(body);
    if (JSON.stringify(filled) === JSON.stringify(body)) return;
    body = filled;
    text = JSON.stringify(body, null, 2);
  };
  fillIds();

  const keyField = fields.find(({ name }) => name === 'Idempotency-Key');
  const textOf = (field: FormField): string =>
    typed.get(fieldId(field)) ?? untouched.get(fieldId(field)) ?? '';
  const withoutKey = () => {
    const values = Object.fromEntries(fields.map((field) => [fieldId(field), textOf(field)]));
    return requestOf(form, { origin, key: caller.key(), values, ...(hasBody && { body }) });
  };
  const fingerprintOf = (request: SampleRequest): string =>
    [request.method, urlOf(request), JSON.stringify(request.body)].join('\n');

  const current = () => {
    const request = withoutKey();
    if (keyField === undefined) return request;
    const key = typed.get(fieldId(keyField)) ?? keys.keyFor(fingerprintOf(request));
    const { 'Idempotency-Key': _, ...headers } = request.headers;
    return { ...request, headers: { ...(key !== '' && { 'Idempotency-Key': key }), ...headers } };
  };

  return {
    fields,
    fillIds,
    current,
    valueOf: (field) => (field === keyField ? (current().headers['Idempotency-Key'] ?? '') : textOf(field)),
    type: (field, value) => {
      typed.set(fieldId(field), value);
    },
    bodyText: () => text,
    bodyProblem: () => problem,
    typeBody: (written) => {
      text = written;
      try {
        body = JSON.parse(written);
        problem = undefined;
      } catch (error) {
        problem = `This is not JSON: ${error instanceof Error ? error.message : error}.`;
      }
    },
    renewKey: () => {
      if (keyField !== undefined) typed.delete(fieldId(keyField));
      keys.renew(fingerprintOf(withoutKey()));
    },
    hasExample: (request) => filling.hasExample(`${urlOf(request)} ${JSON.stringify(request.body)}`),
    markSent: () => keys.markSent(fingerprintOf(withoutKey())),
  };
};

/** Bounds how long the page waits: longer than any operation takes. */
const timeoutMs = 60_000;

/** A response with its text and duration. */
export interface ReceivedResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly url: string;
  readonly text: string;
  /** Undefined where the body is no JSON object. */
  readonly json: JsonBody | undefined;
  readonly ms: number;
}

/** What of a body the page reads. */
interface JsonBody {
  readonly data?: unknown;
  readonly error?: { readonly code?: unknown; readonly message?: string; readonly details?: unknown };
}

/** Why there is no response. */
export type Failure = 'timeout' | 'no response';

/** Sends a request to the API on the page's own origin. */
export const sendRequest = async (
  request: SampleRequest,
): Promise<ReceivedResponse | { readonly failure: Failure }> => {
  const { method, key, body } = request;
  const started = performance.now();
  try {
    const headers = new Headers(Object.fromEntries(headersOf(request)));
    if (key !== '') headers.set('Authorization', `Bearer ${key}`);
    if (body !== undefined) headers.set('Content-Type', 'application/json');
    const response = await fetch(urlOf({ ...request, origin: '' }), {
      ...{ method, headers, cache: 'no-store' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(timeoutMs),
    });
    const text = await response.text();
    const { status, headers: received, url } = response;
    return { status, headers: received, url, text, json: parse(text), ms: performance.now() - started };
  } catch (error) {
    const isTimeout = error instanceof DOMException && error.name === 'TimeoutError';
    return { failure: isTimeout ? 'timeout' : 'no response' };
  }
};

const parse = (text: string): JsonBody | undefined => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
