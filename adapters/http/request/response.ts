import { type Problem, problemOf } from '../errors.ts';

/** An answer, ready to be sent except for the headers that every answer has. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON; null when there is none. */
  readonly body: string | null;
  /** What may be remembered of the body, when that is not all of it. */
  readonly memorable?: string;
}

/** The envelope of every refusal. */
export const refusal = ({ status, code, message, details, headers }: Problem, requestId: string): Reply => {
  const error = details.length > 0 ? { code, message, details } : { code, message };
  return { status, headers, body: JSON.stringify({ error, request_id: requestId }) };
};

/** Stands where the request id will. */
const gap = '<id>';

/** Refuses requests for a reason that does not depend on them: all is made beforehand but for a request's id. */
export const refusalFor = (reason: Error): ((requestId: string) => Reply) => {
  const { status, headers, body } = refusal(problemOf(reason), gap);
  const [before = '', after = ''] = (body ?? '').split(JSON.stringify(gap));
  return (requestId) => ({ status, headers, body: before + JSON.stringify(requestId) + after });
};
