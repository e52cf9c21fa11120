import { type FieldFault, PorticoError } from './error.ts';

/** The body of a response, as far as it is known. */
interface Body {
  readonly data?: unknown;
  readonly pagination?: unknown;
  readonly error?: unknown;
}

/** A success response, or the error that replaces it. */
export type ReadResponse =
  | { readonly status: number; readonly headers: Headers; readonly body: Body }
  | PorticoError;

/** Reads a response to its end. It may come from a proxy, so its body is checked. */
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
  const error = errorIn(body);
  if (error !== undefined && !response.ok) {
    return new PorticoError(error.code, error.message, { ...known, details: error.details });
  }
  const message = `The response with status ${status} did not come from Portico. Check the URL, and the proxy before it.`;
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

/** Without a cursor, a loop over the pages would fetch the same page forever. */
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

/** Retry-After in seconds. Portico never sends it as a date. */
const retryAfterOf = (headers: Headers): number | undefined => {
  const seconds = headers.get('Retry-After') ?? '';
  return /^\d{1,9}$/.test(seconds) ? Number(seconds) : undefined;
};
