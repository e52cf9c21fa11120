import { type FieldFault, PorticoError } from './error.ts';

/** What an answer of Portico's may hold. */
interface Body {
  readonly data?: unknown;
  readonly pagination?: unknown;
  readonly error?: unknown;
}

/** What came back, or why nothing that can be used did. */
export type ReadResponse =
  | { readonly status: number; readonly headers: Headers; readonly body: Body }
  | PorticoError;

/** Reads an answer to its end. Proxies answer too, in their own words, so nothing is taken for granted. */
export const readResponse = async (
  response: Response,
  idempotencyKey: string | undefined,
): Promise<ReadResponse> => {
  const { status, headers } = response;
  const text = await response.text();
  const requestId = headers.get('X-Request-Id') ?? undefined;
  const known = { status, requestId, idempotencyKey, retryAfterSeconds: retryAfterOf(headers) };
  if (status === 304) return new PorticoError('NOT_MODIFIED', 'This is the latest version.', known);
  if (status === 204) return { status, headers, body: {} };
  const body = parse(text);
  if (response.ok && body !== undefined && isComplete(body)) return { status, headers, body };
  const problem = errorIn(body);
  if (problem !== undefined && !response.ok) {
    return new PorticoError(problem.code, problem.message, { ...known, details: problem.details });
  }
  const message = `An answer of status ${status} that is none of Portico's.`;
  return new PorticoError('UNREADABLE', message, known);
};

const parse = (text: string): Body | undefined => {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'object' && body !== null ? (body as Body) : undefined;
  } catch {
    return undefined;
  }
};

/** A page without its place in the list could be asked for again and again. */
const isComplete = ({ data, pagination }: Body): boolean => {
  if (!Array.isArray(data)) return data !== undefined;
  const cursor = (pagination as { readonly next_cursor?: unknown } | null | undefined)?.next_cursor;
  return cursor === null || typeof cursor === 'string';
};

interface ErrorBody {
  readonly code: string;
  readonly message: string;
  readonly details?: readonly FieldFault[];
}

const errorIn = (body: Body | undefined): ErrorBody | undefined => {
  const error = body?.error as Partial<ErrorBody> | null | undefined;
  return typeof error?.code === 'string' ? (error as ErrorBody) : undefined;
};

/** Retry-After, in seconds. Portico never sends a date. */
const retryAfterOf = (headers: Headers): number | undefined => {
  const seconds = headers.get('Retry-After') ?? '';
  return /^\d{1,9}$/.test(seconds) ? Number(seconds) : undefined;
};
