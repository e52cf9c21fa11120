import { decode } from '#adapters/wire/decode.ts';
import { type Caller, permit } from '#application/access.ts';
import { Id } from '#domain/id.ts';
import { readJson } from '../request/body.ts';
import type { Context } from '../request/context.ts';
import { receiveBody } from '../request/request-lifecycle.ts';
import type { ApiResponse } from '../request/response.ts';
import { parseIfMatch } from './etag.ts';
import type { Dependencies, IdempotentHttpRequest } from './execute-use-case.ts';
import { fingerprintOf, parseIdempotencyKey } from './idempotency-key.ts';
import { type ListQuery, listQueryParser } from './list-query.ts';
import type { AnyId } from './parsed-request.ts';
import type { Route } from './route.ts';

const json = ['application/json'];
const mergePatch = [...json, 'application/merge-patch+json'];

/** What is no UUID is the id of nothing, so this takes its place: no resource ever has it. */
const unusedId = '00000000-0000-0000-0000-000000000000' as AnyId;

/**
 * Answers the requests to a route. Everything is looked at in the contract's order: first who asks, then what is
 * asked, then whether it was asked before; what exists and whose it is, the use case finds out.
 * @param providerTimeMs how much longer than any other a request may take for which the provider is asked, in milliseconds
 */
export const routeHandler = (dependencies: Dependencies, route: Route, providerTimeMs: number) => {
  const extraTimeMs = route.idempotencyKey === 'required' ? providerTimeMs : 0;
  const readListing = listQueryParser(route.filters);
  const mediaTypes = route.method === 'PATCH' ? mergePatch : json;

  const execute = (
    context: Context,
    caller: Caller,
    listing: ListQuery,
    input: unknown,
  ): Promise<ApiResponse> => {
    const { req, state } = context;
    const body = route.body && decode(route.body, input);
    const attempt =
      route.idempotencyKey === 'ignored' ? undefined : idempotentRequestOf(context, caller, route, input);
    const asked = {
      caller,
      requestPath: state.path,
      path: idsIn(context),
      body,
      ...listing,
      expectedVersions: parseIfMatch(req.headers['if-match']),
      ifNoneMatch: route.method === 'GET' ? req.headers['if-none-match'] : undefined,
      deadline: state.deadline,
    };
    return route.execute(dependencies, asked, attempt);
  };

  // Not `async`, for each such function is one more wait. What is refused before the body is there is thrown at once.
  return (context: Context): Promise<ApiResponse> => {
    const { req, state } = context;
    const caller = callerOf(context);
    permit(caller, route.permission);
    state.deadline += extraTimeMs;
    const listing = readListing(state.path, state.query);
    if (route.body === undefined) return execute(context, caller, listing, undefined);
    const arrived = receiveBody(context, readJson(req, mediaTypes));
    return arrived.then((input) => execute(context, caller, listing, input));
  };
};

const callerOf = ({ state }: Context): Caller => {
  if (state.caller === undefined) throw new TypeError('Nobody looked who asks.');
  return state.caller;
};

const idempotentRequestOf = (
  { req, state }: Context,
  { userId, role }: Caller,
  { method, idempotencyKey: keyUse }: Route,
  input: unknown,
): IdempotentHttpRequest | undefined => {
  const header = req.headers['idempotency-key'];
  const text = Array.isArray(header) ? header.join() : header;
  const key = parseIdempotencyKey(text, keyUse === 'required', req.headers.authorization);
  if (key === undefined) return undefined;
  const fingerprint = fingerprintOf(method, state.path, input);
  return { userId, key, role, fingerprint, requestId: state.requestId };
};

const idsIn = ({ params }: Context): Readonly<Record<string, AnyId>> => {
  const ids: Record<string, AnyId> = {};
  for (const name in params) ids[name] = Id.parse<AnyId>(params[name]) ?? unusedId;
  return ids;
};
