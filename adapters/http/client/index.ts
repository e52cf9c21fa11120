import { type Connection, call } from './call.ts';
import type { DataOf, ListTarget, Request, Requested, Target } from './request.ts';
import type { Answer, Page, Success } from './response.ts';

export type { Api } from './api.ts';
export type { Connection } from './call.ts';
export { type FieldFault, PorticoError } from './error.ts';
export type { BodyOf, CodeOf, DataOf, ListTarget, Options, QueryOf, Request, Target } from './request.ts';
export type { Answer, ClientCode, Done, Failure, Page, Success } from './response.ts';

/** A Portico, and what can be asked of it. */
export interface Portico {
  /**
   * Asks for something, and goes on asking while the answer is not final: when there is none, after 429 and every 5xx,
   * and while the first request with the key is at work. All attempts of one call carry one idempotency key, so however
   * often it is sent, it happens once.
   * @returns what became of it; `orThrow` makes an exception of a refusal
   * @throws the signal's reason, when the call is given up; TypeError for what can never be sent
   */
  send<T extends Target>(target: T, ...request: Requested<T>): Promise<Answer<T>>;

  /** The pages of a list, each fetched as it is asked for. @throws PorticoError, and the signal's reason */
  pages<T extends ListTarget>(target: T, ...request: Requested<T>): AsyncIterable<Page<T>>;

  /** Everything in a list, page by page. @throws PorticoError, and the signal's reason */
  each<T extends ListTarget>(target: T, ...request: Requested<T>): AsyncIterable<DataOf<T>>;
}

/** A client of the Portico at this address. Nothing is sent until something is asked for. */
export const portico = (connection: Connection): Portico => {
  const send = <T extends Target>(target: T, ...[request]: Requested<T>): Promise<Answer<T>> =>
    call(connection, target, request);

  async function* pages<T extends ListTarget>(target: T, ...[request]: Requested<T>): AsyncIterable<Page<T>> {
    let cursor: string | null | undefined;
    do {
      const query = { ...request?.query, ...(cursor && { cursor }) };
      const page = orThrow<T>(await call(connection, target, { ...request, query } as Request<T>)) as Page<T>;
      yield page;
      if (page.pagination.next_cursor === cursor)
        throw new TypeError('The list does not go on from its cursor.');
      cursor = page.pagination.next_cursor;
    } while (cursor !== null);
  }

  return {
    send,
    pages,
    async *each(target, ...request) {
      for await (const { data } of pages(target, ...request)) yield* data;
    },
  };
};

/** What was done. @throws PorticoError when it was refused */
export const orThrow = <T extends Target>(answer: Answer<T>): Success<T> => {
  if (answer.ok) return answer;
  throw answer.error;
};
