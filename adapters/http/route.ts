import type { Permission } from '#application/access.ts';
import type { UseCase } from '#application/use-case.ts';
import type { Answer } from './answers.ts';
import type { Asked } from './asked.ts';
import { type Attempting, carryOut, type Means } from './carry-out.ts';
import type { Reader } from './codec.ts';
import type { ErrorKind } from './errors.ts';
import type { Fields } from './record.ts';
import type { Reply } from './reply.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** One method of one path, as data. The router, the permission check and the tests of the naming rules read it. */
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
  readonly carryOut: (means: Means, asked: Asked, attempt: Attempting | undefined) => Promise<Reply>;
}

type FilterOf<F extends Fields> = { readonly [N in keyof F]?: F[N]['_A'] };

/** The names in the braces of a path. */
type Names<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Names<Rest>
  : never;

interface Details<Path extends string, Body, F extends Fields, Input, Result> {
  readonly summary: string;
  readonly body?: Reader<Body>;
  readonly filters?: F;
  readonly input: (asked: Asked<Names<Path>, Body, FilterOf<F>>) => Input;
  readonly answer: Answer<Result>;
}

/** Ties a method and path to the use case that answers them. */
export const route = <M extends Method, Path extends string, Input, Result, Body, F extends Fields>(
  target: `${M} ${Path}`,
  useCase: UseCase<Input, Result>,
  { summary, body, filters, input, answer }: Details<Path, Body, F, Input, Result>,
): Route => {
  const [method, path] = target.split(' ') as [M, Path];
  return {
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
        input: input(asked as Asked<Names<Path>, Body, FilterOf<F>>),
        present: (result) => answer.present(result, asked),
        attempt,
      }),
  };
};

/** What any request can be refused for, whatever it is for. */
const always: readonly ErrorKind[] = [
  'bad-request',
  'unauthorized',
  'rate-limited',
  'forbidden',
  'https-required',
  'invalid-fields',
  'internal',
  'unavailable',
];

const ofBodies: readonly ErrorKind[] = [
  'payload-too-large',
  'unsupported-media-type',
  'key-invalid',
  'key-reused',
];

const ofProcesses: readonly ErrorKind[] = [
  'key-missing',
  'key-in-progress',
  'provider-failed',
  'provider-timeout',
];

const refusalsOf = (
  { kind, refusals }: { readonly kind: string; readonly refusals: readonly ErrorKind[] },
  hasBody: boolean,
): readonly ErrorKind[] => [
  ...new Set([
    ...always,
    ...(hasBody ? ofBodies : []),
    ...(kind === 'process' ? ofProcesses : []),
    ...refusals,
  ]),
];
