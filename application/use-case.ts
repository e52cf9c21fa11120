import type { Role, Scope } from '#domain/access.ts';
import type { DomainError, DomainErrorKind } from '#domain/errors.ts';
import type { Id, Resource } from '#domain/resource.ts';
import type { Concerned } from './errors.ts';
import type { Reading, Work } from './ports/unit-of-work.ts';
import { type Caller, type Permission, requirePermission } from './preconditions.ts';

/**
 * A use case checks the caller's permission and returns what is to be run; calling it has no other effect.
 * It throws DomainError 'forbidden' when the permission is missing.
 *
 * - A query reads.
 * - A command changes the store in one unit of work.
 * - A process also calls an external system, in atomic phases.
 */
export type UseCase<Input, Result, Kinds extends DomainErrorKind = DomainErrorKind> =
  | Query<Input, Result, Kinds>
  | Command<Input, Result, Kinds>
  | Process<Input, Result, Kinds>;

export interface Query<Input, Result, Kinds extends DomainErrorKind = DomainErrorKind>
  extends UseCaseMeta<Kinds> {
  (caller: Caller, input: Input): Reading<Result>;
  readonly kind: 'query';
}

export interface Command<Input, Result, Kinds extends DomainErrorKind = DomainErrorKind>
  extends UseCaseMeta<Kinds> {
  (caller: Caller, input: Input): Work<Result>;
  readonly kind: 'command';
}

export interface Process<Input, Subject, Kinds extends DomainErrorKind = DomainErrorKind>
  extends UseCaseMeta<Kinds> {
  (caller: Caller, input: Input): NewProcess<Subject>;
  readonly kind: 'process';
}

interface UseCaseMeta<Kinds> {
  readonly permission: Permission;
  readonly errorKinds: readonly Kinds[];
}

/** How a use case ended: it was carried out, or a domain error rejected it. */
export type Outcome<T> = { readonly done: T } | { readonly rejected: DomainError };

/** What can be under way at the provider. The names are stored. */
export const processNames = ['payment', 'cancellation', 'refund', 'capture'] as const;

/**
 * The atomic phases of a process: claim, call, settle. Claim and settle are units of work; the call runs in none of them.
 * After a failure between phases, the process continues with the phase that failed.
 */
export interface Phases<Subject> {
  /** The name by which the reconciler finds the phases of an unsettled process. */
  readonly process: (typeof processNames)[number];
  /** Loads and locks the subject in its current state. */
  readonly load: (subject: Id) => Work<Subject>;
  readonly isPending: (subject: Subject) => boolean;
  /**
   * Calls the external system, and returns the work that settles the subject. It must be idempotent: a retry repeats it
   * without knowing whether the earlier call arrived.
   */
  readonly call: (subject: Subject) => Promise<Work<Subject>>;
  /** What the call is about, for the log of one that fails. */
  readonly concerns?: (subject: Subject) => Concerned;
  /** The outcome of a settled subject, as its client gets it. */
  readonly outcome: (subject: Subject) => Outcome<Subject>;
}

export interface NewProcess<Subject> extends Phases<Subject> {
  /** Stores the subject before the call, so that a crash cannot lose it. */
  readonly claim: Work<Subject & Resource>;
}

/**
 * What brings the result of a query up to date with an external system before the response, in phases: claim, call, record. The call
 * runs in no unit of work.
 */
export interface Refresh<Result> {
  /** Whether the external system has to be asked about what was read. */
  readonly isDue: (found: Result) => boolean;
  /** @returns false when it was asked about the same a moment ago, by this process or another */
  readonly claim: (found: Result) => Work<boolean>;
  /**
   * Asks the external system. The caller bounds the time of the call.
   * @returns what it has found, or the work that records it
   * @throws ApplicationError 'provider-failed', 'provider-timeout' when there is no answer
   */
  readonly call: (found: Result) => Promise<{ readonly found: Result } | { readonly record: Work<Result> }>;
}

/**
 * Defines a query.
 * @param errorKinds every domain error that it can throw, except 'forbidden' for the missing permission; the API's
 *   documentation lists them
 * @param role the minimum role
 */
export const query = <Input, Result, Kinds extends DomainErrorKind>(
  scope: Scope,
  errorKinds: readonly Kinds[],
  prepare: (caller: Caller, input: Input) => Reading<Result>,
  role: Role = 'customer',
): Query<Input, Result, Kinds> => define('query', { scope, role }, errorKinds, prepare);

/**
 * Defines a command.
 * @param errorKinds and role as for a query
 * @example
 * import { requireFound } from '#application/preconditions.ts';
 * import { command } from '#application/use-case.ts';
 * import type { ProductId } from '#domain/product.ts';
 *
 * export const remove = command('products:write', ['not-found'], (_caller, id: ProductId) =>
 *   async ({ products }) => {
 *     requireFound(await products.lock(id));
 *     await products.remove(id);
 *   },
 * );
 */
export const command = <Input, Result, Kinds extends DomainErrorKind>(
  scope: Scope,
  errorKinds: readonly Kinds[],
  prepare: (caller: Caller, input: Input) => Work<Result>,
  role: Role = 'customer',
): Command<Input, Result, Kinds> => define('command', { scope, role }, errorKinds, prepare);

/**
 * Defines a process. Its call can also throw ApplicationError 'provider-failed' or 'provider-timeout'.
 * @param errorKinds and role as for a query
 * @example
 * import { type Phases, process } from '#application/use-case.ts';
 * import type { Work } from '#application/ports/unit-of-work.ts';
 * import type { Refund } from '#domain/refund.ts';
 *
 * export const refunding = (phases: Phases<Refund>, claimed: (amount: number) => Work<Refund>) =>
 *   process('refunds:write', ['invalid-state'], (_caller, amount: number) => ({
 *     ...phases, // load, call and outcome: a retry continues with the phase that failed
 *     claim: claimed(amount), // stores the refund before the call
 *   }));
 */
export const process = <Input, Subject, Kinds extends DomainErrorKind>(
  scope: Scope,
  errorKinds: readonly Kinds[],
  prepare: (caller: Caller, input: Input) => NewProcess<Subject>,
  role: Role = 'customer',
): Process<Input, Subject, Kinds> => define('process', { scope, role }, errorKinds, prepare);

const define = <Kind extends string, Input, Prepared, Kinds>(
  kind: Kind,
  permission: Permission,
  errorKinds: readonly Kinds[],
  prepare: (caller: Caller, input: Input) => Prepared,
) =>
  Object.assign(
    (caller: Caller, input: Input): Prepared => {
      requirePermission(caller, permission);
      return prepare(caller, input);
    },
    { kind, permission, errorKinds },
  );
