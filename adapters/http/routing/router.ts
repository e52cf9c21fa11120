import { type Layer, Router } from '@koa/router';
import { decode } from '#adapters/wire/json.ts';
import type { Application } from '#application/application.ts';
import { type Caller, requirePermission } from '#application/preconditions.ts';
import { Id } from '#domain/resource.ts';
import { HttpError, routeNotFound } from '../errors.ts';
import { unmatchedRoute } from '../request/access-log-entry.ts';
import { readJson } from '../request/body.ts';
import type { ApiResponse, Context, Middleware, State } from '../request/context.ts';
import { receiveBody } from '../request/request-lifecycle.ts';
import { versions } from '../versions.ts';
import { expectedVersions, readConditions } from './conditional-request.ts';
import type { Dependencies, IdempotentHttpRequest } from './execute-use-case.ts';
import { requireExpansions } from './expansions.ts';
import { fingerprintOf, parseIdempotencyKey } from './idempotency-key.ts';
import { type AnyId, type ListQuery, listQueryParser } from './list-query.ts';
import type { Route } from './route.ts';

/**
 * Registers the routes of every API version.
 * @param providerTimeMs extra milliseconds for requests that call the payment provider
 */
export const createRouter = (application: Application, providerTimeMs: number) => {
  const router = new Router<State>({ sensitive: true, strict: true });
  /** From a path of @koa/router, `/v1/orders/:id`, to the pattern of the contract, `/v1/orders/{id}`. */
  const patterns = new Map<string, string>();
  for (const [name, routes] of Object.entries(versions)) {
    for (const route of routes(application.useCases)) {
      const pattern = `/${name}${route.path}`;
      const path = pattern.replaceAll('{', ':').replaceAll('}', '');
      patterns.set(path, pattern);
      const handle = routeHandler(application, route, providerTimeMs);
      router.register(path, [route.method], (context) => {
        context.state.route = pattern;
        return handle(context);
      });
    }
  }

  /**
   * Handles a request that no route has handled: a CORS preflight, an unknown path, or an unsupported method.
   * @throws HttpError 'route-not-found', 'method-not-allowed'
   */
  const notFound: Middleware = ({ req, state, matched }) => {
    const methods = new Set(matched.flatMap((layer: Layer) => layer.methods));
    if (methods.size === 0) throw routeNotFound();
    const Allow = ['OPTIONS', ...methods].join(', ');
    if (req.method !== 'OPTIONS') {
      throw new HttpError(
        'method-not-allowed',
        `${req.method} is not supported at this path. It supports ${Allow}.`,
        { Allow },
      );
    }
    state.response = { status: 204, headers: { Allow }, body: null };
  };

  return {
    routes: router.routes(),
    notFound,
    /** The route pattern for the access log, for a request that was rejected before it was routed. */
    patternOf: (path: string): string =>
      patterns.get(`${router.stack.find(({ regexp }) => regexp.test(path))?.path}`) ?? unmatchedRoute,
  };
};

const json = ['application/json'];
/** JSON merge patch (RFC 7396). */
const mergePatch = [...json, 'application/merge-patch+json'];

/** Replaces a path parameter that is no UUID. No resource ever has this id, so the response is 404. */
const unusedId = '00000000-0000-0000-0000-000000000000' as AnyId;

/**
 * Handles the requests for one route, in the order of the contract: permission, query string, body, idempotency key. The use
 * case then checks existence and ownership.
 *
 * It is no `async` function because each one costs another turn of the microtask queue. Errors before the body are thrown at
 * once.
 * @param providerTimeMs extra milliseconds for requests that call the payment provider
 */
const routeHandler = (dependencies: Dependencies, route: Route, providerTimeMs: number) => {
  const extraTimeMs = route.extraTime === 'provider' ? providerTimeMs : route.extraTime;
  const parseListQuery = listQueryParser(route.filters, route.expansions);
  const mediaTypes = route.method === 'PATCH' ? mergePatch : json;
  const isRead = route.method === 'GET';

  const execute = (
    context: Context,
    caller: Caller,
    listQuery: ListQuery,
    input: unknown,
  ): Promise<ApiResponse> => {
    const { req, state } = context;
    const body = route.body && decode(route.body, input);
    const idempotentRequest =
      route.idempotencyKey === 'ignored'
        ? undefined
        : idempotentRequestOf(context, caller, route, input, route.needsKey(body));
    const request = {
      caller,
      requestPath: state.path,
      path: idsIn(context),
      body,
      ...listQuery,
      expectedVersions: isRead ? undefined : expectedVersions(req.headers),
      readConditions: isRead ? readConditions(req.headers) : undefined,
      context: { actor: caller.userId, deadline: state.deadline },
    };
    return route.execute(dependencies, request, idempotentRequest);
  };

  const handle = (context: Context): Promise<ApiResponse> => {
    const { state } = context;
    const caller = callerOf(context);
    requirePermission(caller, route.permission);
    state.deadline += extraTimeMs;
    const listQuery = parseListQuery(state.path, state.query);
    if (listQuery.expand !== undefined) requireExpansions(caller, route.expansions, listQuery.expand);
    if (route.body === undefined) return execute(context, caller, listQuery, undefined);
    const body = receiveBody(context, readJson(context, mediaTypes));
    return body.then((input) => execute(context, caller, listQuery, input));
  };

  return async (context: Context): Promise<void> => {
    context.state.response = await handle(context);
  };
};

const callerOf = ({ state }: Context): Caller => {
  if (state.caller === undefined) throw new TypeError('The request was not authenticated.');
  return state.caller;
};

const idempotentRequestOf = (
  { req, state }: Context,
  { userId, role }: Caller,
  { method, idempotencyKey }: Route,
  input: unknown,
  isNeeded: boolean,
): IdempotentHttpRequest | undefined => {
  const header = req.headers['idempotency-key'];
  const text = Array.isArray(header) ? header.join() : header;
  const isRequired = idempotencyKey === 'required' || isNeeded;
  const key = parseIdempotencyKey(text, isRequired, req.headers.authorization);
  if (key === undefined) return undefined;
  const fingerprint = fingerprintOf({ method, path: state.path, query: state.query, body: input });
  return { userId, key, role, fingerprint, requestId: state.requestId };
};

const idsIn = ({ params }: Context): Readonly<Record<string, AnyId>> => {
  const ids: Record<string, AnyId> = {};
  for (const name in params) ids[name] = Id.parse<AnyId>(params[name]) ?? unusedId;
  return ids;
};
