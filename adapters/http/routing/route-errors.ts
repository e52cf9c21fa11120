import type { ErrorKind } from '../errors.ts';

/** The errors of any request, whatever its route. */
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

/** A request with a body can also have an idempotency key. */
const bodyErrors = [
  'malformed',
  'payload-too-large',
  'unsupported-media-type',
  'key-invalid',
  'key-reused',
] as const satisfies ErrorKind[];

/** A read can have `If-Match`. */
const queryErrors = ['precondition-failed'] as const satisfies ErrorKind[];

/** The errors that many operations share. The OpenAPI document explains them once. */
export const genericErrors: readonly ErrorKind[] = [...commonErrors, ...bodyErrors, ...queryErrors];

const processErrors = [
  'key-missing',
  'key-in-progress',
  'provider-failed',
  'provider-timeout',
] as const satisfies ErrorKind[];

/** @typeParam ProcessKind the errors of a process that the route runs for some bodies; `never` without one */
export type RouteErrors<UseCaseKind, Body, Kind, ProcessKind = never> =
  | (typeof commonErrors)[number]
  | (UseCaseKind extends 'query' ? (typeof queryErrors)[number] : never)
  | (Body extends undefined ? never : (typeof bodyErrors)[number])
  | (UseCaseKind extends 'process' ? (typeof processErrors)[number] : never)
  | ([ProcessKind] extends [never] ? never : (typeof processErrors)[number] | ProcessKind)
  | Kind;

/** A use case, as far as its errors are concerned. */
interface Failing {
  readonly kind: string;
  readonly errorKinds: readonly ErrorKind[];
}

/** @param process another use case of the route, which calls the payment provider */
export const routeErrors = (
  { kind, errorKinds }: Failing,
  hasBody: boolean,
  process?: Failing,
): readonly ErrorKind[] => [
  ...new Set([
    ...commonErrors,
    ...(kind === 'query' ? queryErrors : []),
    ...(hasBody ? bodyErrors : []),
    ...(kind === 'process' || process !== undefined ? processErrors : []),
    ...errorKinds,
    ...(process?.errorKinds ?? []),
  ]),
];
