import type { Role, Scope } from '#domain/access.ts';
import type { DomainErrorKind } from '#domain/errors.ts';
import type { Id } from '#domain/id.ts';
import type { Resource } from '#domain/resource.ts';
import { type Caller, type Permission, permit } from './access.ts';
import type { Outcome } from './idempotency/outcome.ts';
import type { Reading, Work } from './ports/unit-of-work.ts';

/**
 * A use case says what is to be done for a caller, and who may ask for it; it does nothing until it is performed.
 * Calling one checks the permission, and throws DomainError 'forbidden'.
 *
 * - A query reads.
 * - A command changes what is here, in one unit of work.
 * - A process needs somebody outside, and is done in phases.
 */
export type UseCase<Input, Result, Refusal extends DomainErrorKind = DomainErrorKind> =
  | Query<Input, Result, Refusal>
  | Command<Input, Result, Refusal>
  | Process<Input, Result, Refusal>;

export interface Query<Input, Result, Refusal extends DomainErrorKind = DomainErrorKind>
  extends Asked<Refusal> {
  (caller: Caller, input: Input): Reading<Result>;
  readonly kind: 'query';
}

export interface Command<Input, Result, Refusal extends DomainErrorKind = DomainErrorKind>
  extends Asked<Refusal> {
  (caller: Caller, input: Input): Work<Result>;
  readonly kind: 'command';
}

export interface Process<Input, Subject, Refusal extends DomainErrorKind = DomainErrorKind>
  extends Asked<Refusal> {
  (caller: Caller, input: Input): Beginning<Subject>;
  readonly kind: 'process';
}

interface Asked<Refusal> {
  readonly permission: Permission;
  readonly refusals: readonly Refusal[];
}

/**
 * Work that somebody outside has a part in. Each unit of work is all or nothing, the call is made in none of them,
 * and whatever happens in between, the work can be taken up where it stopped.
 */
export interface Phases<Subject> {
  /** The name under which an unfinished one is found again. */
  readonly process: string;
  /** What was begun, as it stands now. */
  readonly resume: (subject: Id) => Work<Subject>;
  readonly isPending: (subject: Subject) => boolean;
  /**
   * Asks the one outside, and says how what came of it is written down. It may be called again and again, for an earlier
   * call may have reached them or not.
   */
  readonly call: (subject: Subject) => Promise<Work<Subject>>;
  /** What a settled subject means to whoever asked for it. */
  readonly outcome: (subject: Subject) => Outcome<Subject>;
}

export interface Beginning<Subject> extends Phases<Subject> {
  /** Writes down what is about to be asked for. */
  readonly begin: Work<Subject & Resource>;
}

/**
 * @param refusals the ways in which the domain may say no, besides to whoever lacks the permission. A use case says more of
 *   one of them only where its name does not
 */
export const query = <Input, Result, Refusal extends DomainErrorKind>(
  scope: Scope,
  refusals: readonly Refusal[],
  ask: (caller: Caller, input: Input) => Reading<Result>,
  role: Role = 'customer',
): Query<Input, Result, Refusal> => asked('query', { scope, role }, refusals, ask);

/** @param refusals as for a query */
export const command = <Input, Result, Refusal extends DomainErrorKind>(
  scope: Scope,
  refusals: readonly Refusal[],
  ask: (caller: Caller, input: Input) => Work<Result>,
): Command<Input, Result, Refusal> => asked('command', { scope, role: 'customer' }, refusals, ask);

/** @param refusals as for a query; besides, the one outside may fail: ApplicationError 'provider-failed', 'provider-timeout' */
export const process = <Input, Subject, Refusal extends DomainErrorKind>(
  scope: Scope,
  refusals: readonly Refusal[],
  ask: (caller: Caller, input: Input) => Beginning<Subject>,
): Process<Input, Subject, Refusal> => asked('process', { scope, role: 'customer' }, refusals, ask);

const asked = <Kind extends string, Input, Asked, Refusal>(
  kind: Kind,
  permission: Permission,
  refusals: readonly Refusal[],
  ask: (caller: Caller, input: Input) => Asked,
) =>
  Object.assign(
    (caller: Caller, input: Input): Asked => {
      permit(caller, permission);
      return ask(caller, input);
    },
    { kind, permission, refusals },
  );
