import type { Decoder } from '#adapters/wire/codec.ts';
import type { Fields } from '#adapters/wire/object-codec.ts';
import type { Permission } from '#application/access.ts';
import type { UseCase } from '#application/use-case.ts';
import type { DomainErrorKind } from '#domain/errors.ts';
import type { ErrorKind } from '../errors.ts';
import type { ApiResponse } from '../request/response.ts';
import { type Dependencies, executeUseCase, type IdempotentHttpRequest } from './execute-use-case.ts';
import type { ParsedRequest } from './parsed-request.ts';
import type { Responder } from './responders.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * One method of one path, as data. The router, the permission check, the API's description and the tests of the naming
 * rules read it; the types of the client follow from it.
 */
export interface Route {
  readonly method: Method;
  /** Below the version, with placeholders in braces: `/orders/{order_id}`. */
  readonly path: string;
  readonly permission: Permission;
  /** Whether the request must carry an idempotency key, may, or is the same however often it comes. */
  readonly idempotencyKey: 'required' | 'honoured' | 'ignored';
  readonly body: Decoder<unknown> | undefined;
  /** The filters of a list; undefined when the answer is no list. */
  readonly filters: Fields | undefined;
  /** What it does, in a few words. */
  readonly summary: string;
  /** What it answers when all goes well. */
  readonly responder: Pick<Responder<never>, 'status' | 'content' | 'view'>;
  /** Every way in which a request for it can be refused. */
  readonly errors: readonly ErrorKind[];
  readonly execute: (
    means: Dependencies,
    asked: ParsedRequest,
    attempt: IdempotentHttpRequest | undefined,
  ) => Promise<ApiResponse>;
}

/** A route with the types of its parts, from which those of a client follow. */
export interface RouteOf<
  M extends Method,
  Path extends string,
  Body extends Route['body'],
  Filters extends Route['filters'],
  Shown extends Route['responder'],
  Refusal extends ErrorKind,
> extends Route {
  readonly method: M;
  readonly path: Path;
  readonly body: Body;
  readonly filters: Filters;
  readonly responder: Shown;
  readonly errors: readonly Refusal[];
}

type DecodedBody<Body> = Body extends Decoder<infer Read> ? Read : undefined;
type DecodedFilters<F> = { readonly [N in keyof F]?: F[N] extends Decoder<infer Read> ? Read : never };

/** The names in the braces of a path. */
export type PathParameters<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathParameters<Rest>
  : never;

interface RouteOptions<Path extends string, Body, Filters, Input, Shown> {
  readonly summary: string;
  readonly body?: Body;
  readonly filters?: Filters;
  readonly input: (
    asked: ParsedRequest<PathParameters<Path>, DecodedBody<Body>, DecodedFilters<Filters>>,
  ) => Input;
  readonly responder: Shown;
}

/** Ties a method and path to the use case that answers them. */
export const route = <
  M extends Method,
  Path extends string,
  Kind extends UseCase<Input, Result>['kind'],
  Input,
  Result,
  Shows extends Route['responder']['content'],
  Wire,
  Refusal extends DomainErrorKind,
  Body extends Route['body'] = undefined,
  Filters extends Route['filters'] = undefined,
>(
  target: `${M} ${Path}`,
  useCase: UseCase<Input, Result, Refusal> & { readonly kind: Kind },
  {
    summary,
    body,
    filters,
    input,
    responder: answer,
  }: RouteOptions<Path, Body, Filters, Input, Responder<Result, Shows, Wire>>,
): RouteOf<M, Path, Body, Filters, Responder<Result, Shows, Wire>, RouteErrors<Kind, Body, Refusal>> => {
  const [method, path] = target.split(' ') as [M, Path];
  const made: Route = {
    method,
    path,
    permission: useCase.permission,
    idempotencyKey:
      useCase.kind === 'process'
        ? 'required'
        : method === 'GET' || method === 'DELETE'
          ? 'ignored'
          : 'honoured',
    body,
    filters,
    summary,
    responder: answer,
    errors: routeErrors(useCase, body !== undefined),
    // The dispatcher read body, filters and path by this very route, so they are what its types say.
    execute: (means, asked, attempt) =>
      executeUseCase(means, useCase, {
        caller: asked.caller,
        input: input(
          asked as ParsedRequest<PathParameters<Path>, DecodedBody<Body>, DecodedFilters<Filters>>,
        ),
        respond: (result) => answer.respond(result, asked),
        idempotentRequest: attempt,
        deadline: asked.deadline,
      }),
  };
  return made as RouteOf<M, Path, Body, Filters, typeof answer, RouteErrors<Kind, Body, Refusal>>;
};

/** What any request can be refused for, whatever it is for. */
const commonErrors = [
  'bad-request',
  'request-timeout',
  'expectation-failed',
  'headers-too-large',
  'unauthorized',
  'rate-limited',
  'forbidden',
  'https-required',
  'invalid-fields',
  'internal',
  'unavailable',
] as const satisfies ErrorKind[];

/** Whatever has a body may have an idempotency key. */
const bodyErrors = [
  'malformed',
  'payload-too-large',
  'unsupported-media-type',
  'key-invalid',
  'key-reused',
] as const satisfies ErrorKind[];

const processErrors = [
  'key-missing',
  'key-in-progress',
  'provider-failed',
  'provider-timeout',
] as const satisfies ErrorKind[];

type RouteErrors<Kind, Body, Refusal> =
  | (typeof commonErrors)[number]
  | (Body extends undefined ? never : (typeof bodyErrors)[number])
  | (Kind extends 'process' ? (typeof processErrors)[number] : never)
  | Refusal;

const routeErrors = (
  { kind, refusals }: { readonly kind: string; readonly refusals: readonly ErrorKind[] },
  hasBody: boolean,
): readonly ErrorKind[] => [
  ...new Set([
    ...commonErrors,
    ...(hasBody ? bodyErrors : []),
    ...(kind === 'process' ? processErrors : []),
    ...refusals,
  ]),
];
