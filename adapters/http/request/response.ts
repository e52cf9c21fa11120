import { type PublicError, toPublicError } from '../errors.ts';

/** An answer, ready to be sent except for the headers that every answer has. */
export interface ApiResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON; null when there is none. */
  readonly body: string | null;
  /** What may be remembered of the body, when that is not all of it. */
  readonly storableBody?: string;
}

/** The envelope of every refusal. */
export const errorResponse = (
  { status, code, message, details, headers }: PublicError,
  requestId: string,
): ApiResponse => {
  const error = details.length > 0 ? { code, message, details } : { code, message };
  return { status, headers, body: JSON.stringify({ error, request_id: requestId }) };
};

/** Stands where the request id will. */
const requestIdPlaceholder = '<id>';

/** Refuses requests for a reason that does not depend on them: all is made beforehand but for a request's id. */
export const prerenderedError = (reason: Error): ((requestId: string) => ApiResponse) => {
  const { status, headers, body } = errorResponse(toPublicError(reason), requestIdPlaceholder);
  const [before = '', after = ''] = (body ?? '').split(JSON.stringify(requestIdPlaceholder));
  return (requestId) => ({ status, headers, body: before + JSON.stringify(requestId) + after });
};
