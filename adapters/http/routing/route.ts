import type { Reader } from '#adapters/wire/codec.ts';
import type { Fields } from '#adapters/wire/object-codec.ts';
import type { Permission } from '#application/access.ts';
import type { UseCase } from '#application/use-case.ts';
import type { DomainErrorKind } from '#domain/errors.ts';
import type { ErrorKind } from '../errors.ts';
import type { ApiResponse } from '../request/response.ts';
import { type Attempting, carryOut, type Means } from './execute-use-case.ts';
import type { Asked } from './parsed-request.ts';
import type { Answer } from './responders.ts';

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
  readonly key: 'required' | 'honoured' | 'ignored';
  readonly body: Reader<unknown> | undefined;
  /** The filters of a list; undefined when the answer is no list. */
  readonly filters: Fields | undefined;
  /** What it does, in a few words. */
  readonly summary: string;
  /** What it answers when all goes well. */
  readonly answer: Pick<Answer<never>, 'status' | 'shows' | 'shown'>;
  /** Every way in which a request for it can be refused. */
  readonly refusals: readonly ErrorKind[];
  readonly carryOut: (means: Means, asked: Asked, attempt: Attempting | undefined) => Promise<ApiResponse>;
}

/** A route with the types of its parts, from which those of a client follow. */
export interface RouteOf<
  M extends Method,
  Path extends string,
  Body extends Route['body'],
  Filters extends Route['filters'],
  Shown extends Route['answer'],
  Refusal extends ErrorKind,
> extends Route {
  readonly method: M;
  readonly path: Path;
  readonly body: Body;
  readonly filters: Filters;
  readonly answer: Shown;
  readonly refusals: readonly Refusal[];
}

type ReadBy<Body> = Body extends Reader<infer Read> ? Read : undefined;
type FilterBy<F> = { readonly [N in keyof F]?: F[N] extends Reader<infer Read> ? Read : never };

/** The names in the braces of a path. */
export type Names<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Names<Rest>
  : never;

interface Details<Path extends string, Body, Filters, Input, Shown> {
  readonly summary: string;
  readonly body?: Body;
  readonly filters?: Filters;
  readonly input: (asked: Asked<Names<Path>, ReadBy<Body>, FilterBy<Filters>>) => Input;
  readonly answer: Shown;
}

/** Ties a method and path to the use case that answers them. */
export const route = <
  M extends Method,
  Path extends string,
  Kind extends UseCase<Input, Result>['kind'],
  Input,
  Result,
  Shows extends Route['answer']['shows'],
  Wire,
  Refusal extends DomainErrorKind,
  Body extends Route['body'] = undefined,
  Filters extends Route['filters'] = undefined,
>(
  target: `${M} ${Path}`,
  useCase: UseCase<Input, Result, Refusal> & { readonly kind: Kind },
  { summary, body, filters, input, answer }: Details<Path, Body, Filters, Input, Answer<Result, Shows, Wire>>,
): RouteOf<M, Path, Body, Filters, Answer<Result, Shows, Wire>, RefusalOf<Kind, Body, Refusal>> => {
  const [method, path] = target.split(' ') as [M, Path];
  const made: Route = {
    method,
    path,
    permission: useCase.permission,
    key:
      useCase.kind === 'process'
        ? 'required'
        : method === 'GET' || method === 'DELETE'
          ? 'ignored'
          : 'honoured',
    body,
    filters,
    summary,
    answer,
    refusals: refusalsOf(useCase, body !== undefined),
    // The dispatcher read body, filters and path by this very route, so they are what its types say.
    carryOut: (means, asked, attempt) =>
      carryOut(means, useCase, {
        caller: asked.caller,
        input: input(asked as Asked<Names<Path>, ReadBy<Body>, FilterBy<Filters>>),
        present: (result) => answer.present(result, asked),
        attempt,
        until: asked.until,
      }),
  };
  return made as RouteOf<M, Path, Body, Filters, typeof answer, RefusalOf<Kind, Body, Refusal>>;
};

/** What any request can be refused for, whatever it is for. */
const always = [
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
const ofBodiesAndKeys = [
  'malformed',
  'payload-too-large',
  'unsupported-media-type',
  'key-invalid',
  'key-reused',
] as const satisfies ErrorKind[];

const ofProcesses = [
  'key-missing',
  'key-in-progress',
  'provider-failed',
  'provider-timeout',
] as const satisfies ErrorKind[];

type RefusalOf<Kind, Body, Refusal> =
  | (typeof always)[number]
  | (Body extends undefined ? never : (typeof ofBodiesAndKeys)[number])
  | (Kind extends 'process' ? (typeof ofProcesses)[number] : never)
  | Refusal;

const refusalsOf = (
  { kind, refusals }: { readonly kind: string; readonly refusals: readonly ErrorKind[] },
  hasBody: boolean,
): readonly ErrorKind[] => [
  ...new Set([
    ...always,
    ...(hasBody ? ofBodiesAndKeys : []),
    ...(kind === 'process' ? ofProcesses : []),
    ...refusals,
  ]),
];
