import type { Decoder, RequiredParameter } from '#adapters/wire/codec.ts';
import type { Fields } from '#adapters/wire/object-codec.ts';
import { expanding } from '#application/expansion/expand.ts';
import type { CreationPeriod, Page, PaidPeriod } from '#application/ports/repositories.ts';
import type { Permission } from '#application/preconditions.ts';
import type { Process, Refresh, UseCase } from '#application/use-case.ts';
import type { DomainErrorKind } from '#domain/errors.ts';
import type { Resource } from '#domain/resource.ts';
import type { ErrorKind } from '../errors.ts';
import type { Awaited } from '../request/awaited.ts';
import type { ApiResponse } from '../request/context.ts';
import { type Dependencies, executeUseCase, type IdempotentHttpRequest } from './execute-use-case.ts';
import { chosen, type Expansions, encodeExpanded } from './expansions.ts';
import { expandedRefresh, refreshTimeoutMs } from './refresh-result.ts';
import type { ParsedRequest, Responder } from './responders.ts';
import { type RouteErrors, routeErrors } from './route-errors.ts';

type AnyResponder = Responder<never, Responder<never>['content'], unknown, true>;

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * One method of one path, as data. The router, the permission check, the OpenAPI document, the client's types and the tests
 * of the naming rules are all derived from it.
 */
export interface Route {
  readonly method: Method;
  /** Without the version, with placeholders in braces: `/orders/{order_id}`. */
  readonly path: string;
  readonly permission: Permission;
  /** `ignored` for methods that are idempotent by themselves. */
  readonly idempotencyKey: 'required' | 'optional' | 'ignored';
  /** Whether an optional key is required for this body. */
  readonly needsKey: (body: unknown) => boolean;
  /** When an optional key is required, in words; undefined when it never is. */
  readonly keyNeed: string | undefined;
  /** How much longer than others a request may take because it calls the payment provider. */
  readonly extraTime: 'provider' | number;
  readonly body: Decoder<unknown> | undefined;
  /** The filters of a list; undefined when the route has no list. */
  readonly filters: Fields | undefined;
  /** The names that the parameter `expand` accepts; undefined when the route has none. */
  readonly expansions: Expansions | undefined;
  /** The summary in the OpenAPI document. */
  readonly summary: string;
  /** The success response. */
  readonly responder: Pick<AnyResponder, 'status' | 'content' | 'view' | 'noStore' | 'maxRows' | 'isFeed'>;
  /** Whether it is a read that waits for a change when the client prefers that. */
  readonly canWait: boolean;
  /** Whether it is a read that no replica serves. */
  readonly readsLatest: boolean;
  /** Every kind of error that a request to this route can get. */
  readonly errors: readonly ErrorKind[];
  readonly execute: (
    dependencies: Dependencies,
    request: ParsedRequest,
    idempotentRequest: IdempotentHttpRequest | undefined,
  ) => Promise<ApiResponse>;
}

/** The names of the parameters that cannot be left out. */
export type RequiredIn<F> = { [N in keyof F]: F[N] extends RequiredParameter ? N : never }[keyof F];

/** A route with the types of its parts, from which the client's types are inferred. */
export interface RouteOf<
  M extends Method,
  Path extends string,
  Body extends Route['body'],
  Filters extends Route['filters'],
  Response extends Route['responder'],
  Kind extends ErrorKind,
  Expand extends Route['expansions'] = undefined,
> extends Route {
  readonly method: M;
  readonly path: Path;
  readonly body: Body;
  readonly filters: Filters;
  readonly expansions: Expand;
  readonly responder: Response;
  readonly errors: readonly Kind[];
}

type DecodedBody<Body> = Body extends Decoder<infer Value> ? Value : undefined;
/** Without periods, which are a part of the page. */
type DecodedFilters<F> = {
  readonly [N in Exclude<keyof F, keyof (CreationPeriod & PaidPeriod) | RequiredIn<F>>]?: Decoded<F[N]>;
} & { readonly [N in RequiredIn<F>]: Decoded<F[N]> };
type Decoded<D> = D extends Decoder<infer Value> ? Value : never;

/** The names of the placeholders in a path. */
export type PathParameters<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathParameters<Rest>
  : never;

/** A process that a route runs in place of its use case, for some bodies. */
interface ProcessOption<Body, Input, Result, Kind extends DomainErrorKind> {
  readonly useCase: Process<Input, Result, Kind>;
  readonly isFor: (body: DecodedBody<Body>) => boolean;
  /** The same in words: `With \`status\``. */
  readonly when: string;
}

interface RouteOptions<
  Path extends string,
  Body,
  Filters,
  Expand,
  Input,
  Result,
  Response,
  ProcessKind extends DomainErrorKind,
> {
  readonly summary: string;
  readonly body?: Body;
  readonly filters?: Filters;
  readonly expansions?: Expand;
  /** Maps the request to the input of the use case. */
  readonly input: (
    request: ParsedRequest<PathParameters<Path>, DecodedBody<Body>, DecodedFilters<Filters>>,
  ) => Input;
  readonly responder: Response;
  /**
   * True where replicas of different age would contradict each other: what was seen of the feed is seen by each later read of it. Default
   * false.
   */
  readonly readsLatest?: boolean;
  /** Whether later reads of the caller must see at least what the result of a query names, on replicas too. It is not refreshed. */
  readonly pinsReads?: (result: Result) => boolean;
  /** Brings the result of a query up to date before the response. */
  readonly refresh?: Refresh<Result>;
  /** What a client that prefers to wait waits for, by the result of a query; undefined when there is nothing to wait for. */
  readonly awaited?: (
    result: Result,
    request: ParsedRequest<PathParameters<Path>, DecodedBody<Body>, DecodedFilters<Filters>>,
  ) => Awaited | undefined;
  readonly process?: ProcessOption<Body, Input, Result, ProcessKind>;
}

/**
 * Binds a method and path to a use case.
 * @example
 * import { created } from '#adapters/http/routing/responders.ts';
 * import { route } from '#adapters/http/routing/route.ts';
 * import { productView, wholeProduct } from '#adapters/http/v1/products.ts';
 * import type { UseCases } from '#application/application.ts';
 * import { Product } from '#domain/product.ts';
 *
 * export const routes = ({ products }: UseCases) => [
 *   route('POST /products', products.create, {
 *     summary: 'Create a product',
 *     body: wholeProduct,
 *     input: ({ body }) => ({ ...Product.defaults, ...body }),
 *     responder: created(productView),
 *   }),
 * ];
 */
export const route = <
  M extends Method,
  Path extends string,
  UseCaseKind extends UseCase<Input, Result>['kind'],
  Input,
  Result,
  Content extends Route['responder']['content'],
  Wire,
  Kind extends DomainErrorKind,
  Body extends Route['body'] = undefined,
  Filters extends Route['filters'] = undefined,
  Expand extends Route['expansions'] = undefined,
  ProcessKind extends DomainErrorKind = never,
  Feed extends true = never,
>(
  target: `${M} ${Path}`,
  useCase: UseCase<Input, Result, Kind> & { readonly kind: UseCaseKind },
  {
    summary,
    body,
    filters,
    expansions,
    input,
    responder,
    readsLatest = false,
    pinsReads,
    refresh,
    awaited,
    process,
  }: RouteOptions<
    Path,
    Body,
    Filters,
    Expand,
    Input,
    Result,
    Responder<Result, Content, Wire, Feed>,
    ProcessKind
  >,
): RouteOf<
  M,
  Path,
  Body,
  Filters,
  Responder<Result, Content, Wire, Feed>,
  RouteErrors<UseCaseKind, Body, Kind, ProcessKind>,
  Expand
> => {
  const [method, path] = target.split(' ') as [M, Path];
  const route: Route = {
    method,
    path,
    permission: useCase.permission,
    idempotencyKey: keyUseOf(useCase.kind, method),
    needsKey: (decoded) => process?.isFor(decoded as DecodedBody<Body>) ?? false,
    keyNeed: process?.when,
    extraTime:
      useCase.kind === 'process' || process !== undefined
        ? 'provider'
        : refresh === undefined
          ? 0
          : refreshTimeoutMs,
    body,
    filters,
    expansions,
    summary,
    responder,
    canWait: awaited !== undefined,
    readsLatest,
    errors: routeErrors(useCase, body !== undefined, process?.useCase),
    // The handler decodes body, filters and path with this route's own codecs, so they have these types.
    execute: (dependencies, request, idempotentRequest) => {
      const { caller, context, expand } = request;
      const parsed = request as ParsedRequest<
        PathParameters<Path>,
        DecodedBody<Body>,
        DecodedFilters<Filters>
      >;
      const respond = (result: Result, rendered: ParsedRequest = request): ApiResponse => {
        const response = responder.respond(result, rendered);
        if (awaited === undefined) return response;
        // The response depends on whether it may be waited for (RFC 7240 section 2).
        return {
          ...response,
          headers: { ...response.headers, Vary: 'Prefer' },
          // With `expand` the response has no ETag, so `If-None-Match` is ignored.
          awaited: awaited(
            result,
            rendered.expandedOf === undefined ? parsed : { ...parsed, readConditions: undefined },
          ),
        };
      };
      const given = {
        caller,
        input: input(parsed),
        idempotentRequest,
        context,
      };
      if (expand === undefined || expansions === undefined) {
        const isProcess = process?.isFor(request.body as DecodedBody<Body>) === true;
        const chosenCase = isProcess ? process.useCase : useCase;
        return executeUseCase(dependencies, chosenCase, {
          ...given,
          respond: (result) => respond(result),
          refresh,
          pinsReads,
        });
      }
      const expanded = expanding(useCase, chosen(expansions, expand), resourcesIn(responder.content));
      return executeUseCase(dependencies, expanded, {
        ...given,
        refresh: refresh && expandedRefresh(refresh),
        pinsReads: pinsReads && (({ result }) => pinsReads(result)),
        // What the provider has returned for this response alone, as the secret of an action, is not read again.
        complete: ({ result }, again) => ({ ...again, result }),
        respond: (all) =>
          respond(all.result, { ...request, expandedOf: encodeExpanded(expansions, all.expanded) }),
      });
    },
  };
  return route as RouteOf<
    M,
    Path,
    Body,
    Filters,
    typeof responder,
    RouteErrors<UseCaseKind, Body, Kind, ProcessKind>,
    Expand
  >;
};

/** The resources in the result of a use case, by what its response holds. */
const resourcesIn =
  (content: Route['responder']['content']) =>
  (result: unknown): readonly Resource[] =>
    content === 'page' ? (result as Page<Resource>).rows : [result as Resource];

const keyUseOf = (kind: UseCase<never, unknown>['kind'], method: Method): Route['idempotencyKey'] => {
  if (kind === 'process') return 'required';
  return method === 'GET' || method === 'DELETE' ? 'ignored' : 'optional';
};
