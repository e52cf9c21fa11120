import type { IncomingHttpHeaders } from 'node:http';
import { type Layer, Router } from '@koa/router';
import { decode } from '#adapters/wire/json.ts';
import type { Application } from '#application/application.ts';
import { type Caller, requirePermission } from '#application/preconditions.ts';
import { Id } from '#domain/resource.ts';
import { HttpError, isMonitored, routeNotFound } from '../errors.ts';
import { unmatchedRoute } from '../request/access-log-entry.ts';
import type { Awaited } from '../request/awaited.ts';
import { readJson } from '../request/body.ts';
import type { ApiResponse, Context, Middleware, State } from '../request/context.ts';
import { receiveBody } from '../request/request-lifecycle.ts';
import { versions } from '../versions.ts';
import { attemptOf, awaitedKey } from '../waiting/attempt.ts';
import { waitSecondsIn } from '../waiting/prefer.ts';
import type { WaitingRequests } from '../waiting/waiting-requests.ts';
import { expectedVersions, readConditions } from './conditional-request.ts';
import type { IdempotentHttpRequest } from './execute-use-case.ts';
import { requireExpansions } from './expansions.ts';
import { feedQueryParser } from './feed-query.ts';
import { fieldHasher, fingerprintOf, monitorLink, parseIdempotencyKey } from './idempotency-key.ts';
import { type AnyId, type ListQuery, listQueryParser, wholeQueryParser } from './list-query.ts';
import type { Route } from './route.ts';

interface RouterDependencies {
  readonly application: Application;
  readonly waitingRequests: WaitingRequests;
  /** Authenticates a request that waits again. @returns undefined when the credential is no longer valid */
  readonly authenticate: (headers: IncomingHttpHeaders) => Promise<Caller | undefined>;
  readonly unauthorized: (requestId: string) => ApiResponse;
}

/**
 * Registers the routes of every API version.
 * @param providerTimeMs extra milliseconds for requests that call the payment provider
 */
export const createRouter = (dependencies: RouterDependencies, providerTimeMs: number) => {
  const { application } = dependencies;
  const router = new Router<State>({ sensitive: true, strict: true });
  /** From a path of @koa/router, `/v1/orders/:id`, to the pattern of the contract, `/v1/orders/{id}`. */
  const patterns = new Map<string, string>();
  for (const [name, routes] of Object.entries(versions)) {
    for (const route of routes(application.useCases)) {
      const pattern = `/${name}${route.path}`;
      const path = pattern.replaceAll('{', ':').replaceAll('}', '');
      patterns.set(path, pattern);
      const handle = routeHandler(dependencies, route, providerTimeMs, name);
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

interface ExecuteOptions {
  /** What a request that waits is to wait for, from its earlier attempt. */
  readonly awaited?: Awaited | undefined;
  readonly readsLatest?: boolean;
}

/**
 * Handles the requests for one route, in the order of the contract: permission, query string, body, idempotency key. The use
 * case then checks existence and ownership.
 *
 * It is no `async` function because each one costs another turn of the microtask queue. Errors before the body are thrown at
 * once.
 * @param providerTimeMs extra milliseconds for requests that call the payment provider
 * @param version of the API: `v1`
 */
const routeHandler = (
  { application, waitingRequests, authenticate, unauthorized }: RouterDependencies,
  route: Route,
  providerTimeMs: number,
  version: string,
) => {
  const extraTimeMs = route.extraTime === 'provider' ? providerTimeMs : route.extraTime;
  const parseListQuery = queryParserOf(route);
  const mediaTypes = route.method === 'PATCH' ? mergePatch : json;
  const isRead = route.method === 'GET';
  const mayWait = route.canWait || route.errors.includes('key-in-progress');

  const execute = (
    context: Context,
    caller: Caller,
    listQuery: ListQuery,
    input: unknown,
    { awaited, readsLatest = route.readsLatest }: ExecuteOptions = {},
  ): Promise<ApiResponse> => {
    const { req, state } = context;
    const { from = listQuery.from } = awaited ?? {};
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
      ...(from && { from }),
      expectedVersions: isRead ? undefined : expectedVersions(req.headers),
      readConditions: isRead ? readConditions(req.headers) : undefined,
      context: {
        actor: caller.userId,
        deadline: state.deadline,
        requestId: state.requestId,
        ...(readsLatest && { readsLatest }),
        // What follows the end of the feed is compared with lists, which must not be older.
        ...(from === 'latest' && { pinsReads: true }),
      },
    };
    return route.execute(application, request, idempotentRequest);
  };

  const executeOrWait = (
    context: Context,
    caller: Caller,
    listQuery: ListQuery,
    input: unknown,
  ): Promise<ApiResponse> => {
    const { req, state } = context;
    const seconds = mayWait ? waitSecondsIn(req.headers) : undefined;
    if (seconds === undefined) return execute(context, caller, listQuery, input);
    return waitingRequests.respond(context, caller, seconds, {
      attempt: (by, awaited) =>
        // The read must be as new as the events that the feed has shown.
        attemptOf(execute(context, by, listQuery, input, { awaited, readsLatest: true }), () =>
          awaitedKey(application.idempotency, { userId: by.userId, key: keyHeader(req.headers) ?? '' }),
        ),
      check: async () => {
        const again = await authenticate(req.headers);
        if (again !== undefined) requireAccess(again, listQuery);
        return again;
      },
      unauthorized: () => unauthorized(state.requestId),
    });
  };

  const requireAccess = (caller: Caller, { expand }: ListQuery): void => {
    requirePermission(caller, route.permission);
    if (expand !== undefined) requireExpansions(caller, route.expansions, expand);
  };

  const handle = (context: Context): Promise<ApiResponse> => {
    const { state } = context;
    const caller = callerOf(context);
    requirePermission(caller, route.permission);
    state.deadline += extraTimeMs;
    const listQuery = parseListQuery(state.path, state.query);
    if (listQuery.expand !== undefined) requireExpansions(caller, route.expansions, listQuery.expand);
    if (route.body === undefined) return executeOrWait(context, caller, listQuery, undefined);
    const body = receiveBody(context, readJson(context, mediaTypes));
    return body.then((input) => executeOrWait(context, caller, listQuery, input));
  };

  return async (context: Context): Promise<void> => {
    const { req, state } = context;
    try {
      state.response = await handle(context);
    } catch (error) {
      const key = route.idempotencyKey === 'ignored' ? undefined : keyHeader(req.headers);
      if (key !== undefined && isMonitored(error)) state.headers.push('Link', monitorLink(version, key));
      throw error;
    }
  };
};

const queryParserOf = ({ filters, expansions, responder }: Route) => {
  if (responder.isFeed === true) return feedQueryParser(filters ?? {});
  if (responder.content === 'whole') return wholeQueryParser(filters ?? {});
  return listQueryParser(filters, expansions);
};

const callerOf = ({ state }: Context): Caller => {
  if (state.caller === undefined) throw new TypeError('The request was not authenticated.');
  return state.caller;
};

/** The routes at which a reused key names the fields that differ: those of what moves money. */
const namesDifferences = /^\/(?:payments|captures|refunds)(?:\/|$)/;

const idempotentRequestOf = (
  context: Context,
  { userId, role }: Caller,
  { method, path: route, idempotencyKey }: Route,
  input: unknown,
  isNeeded: boolean,
): IdempotentHttpRequest | undefined => {
  const { req, state } = context;
  const isRequired = idempotencyKey === 'required' || isNeeded;
  const key = parseIdempotencyKey(keyHeader(req.headers), isRequired, req.headers.authorization);
  if (key === undefined) return undefined;
  const fingerprint = fingerprintOf({ method, path: state.path, query: state.query, body: input });
  const { requestId } = state;
  const path = recordedPath(context);
  const hashFields =
    isRequired || namesDifferences.test(route) ? fieldHasher(`${userId} ${key}`, input) : undefined;
  return { userId, key, role, fingerprint, requestId, origin: { method, path, requestId, hashFields } };
};

const keyHeader = ({ 'idempotency-key': header }: IncomingHttpHeaders): string | undefined =>
  Array.isArray(header) ? header.join() : header;

/** The path as the client wrote it, unless it holds a text in place of an id, which may be long, or a person's name. */
const recordedPath = ({ params, state }: Context): string => {
  for (const name in params) if (Id.parse(params[name]) === undefined) return state.route ?? unmatchedRoute;
  return state.path;
};

const idsIn = ({ params }: Context): Readonly<Record<string, AnyId>> => {
  const ids: Record<string, AnyId> = {};
  for (const name in params) ids[name] = Id.parse<AnyId>(params[name]) ?? unusedId;
  return ids;
};
