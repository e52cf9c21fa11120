import {
  ApplicationError,
  ConcurrencyConflict,
  ConstraintRace,
  ConstraintViolation,
  UnavailableError,
} from '#application/errors.ts';
import type { RequestContext } from '#application/ports/unit-of-work.ts';
import { DomainError } from '#domain/errors.ts';

/** Where another process opens the database of a store. */
export interface Kept {
  /** The URL of a module that exports `openStore`, such as `import.meta.url`. */
  readonly module: string;
  /** What `openStore` gets as `url`. */
  readonly url: string;
}

/** What is asked of the process of a store. Each operation has an id. */
export type Request =
  | {
      readonly type: 'begin';
      readonly id: number;
      readonly method: 'run' | 'read';
      /** The time until the deadline in place of the deadline, in milliseconds: no two processes share a clock of `performance`. */
      readonly context:
        | (Omit<RequestContext, 'deadline'> & { readonly leftMs: number | undefined })
        | undefined;
    }
  | {
      readonly type: 'call';
      readonly id: number;
      readonly attempt: number;
      readonly call: number;
      readonly repository: string;
      readonly method: string;
      readonly given: readonly unknown[];
    }
  /** The work of an attempt has ended. With a call it has failed by the error of that call, with null by another error. */
  | { readonly type: 'end'; readonly id: number; readonly attempt: number; readonly failedBy?: number | null }
  | { readonly type: 'number'; readonly id: number }
  | { readonly type: 'close'; readonly id: number };

/** What the process of a store reports. */
export type Reply =
  | { readonly type: 'opened'; readonly hasSequencer: boolean }
  | { readonly type: 'failed'; readonly error: EncodedError }
  /** The work of a unit of work or a read has to begin, perhaps again. */
  | { readonly type: 'attempt'; readonly id: number; readonly attempt: number }
  | { readonly type: 'returned'; readonly id: number; readonly call: number; readonly value: unknown }
  | { readonly type: 'rejected'; readonly id: number; readonly call: number; readonly error: EncodedError }
  | { readonly type: 'done'; readonly id: number; readonly value?: unknown }
  /** Without an error the work's own error has ended it. */
  | { readonly type: 'undone'; readonly id: number; readonly error?: EncodedError };

/** An error of the ports as the arguments that make it, and any other as its text. */
export type EncodedError = readonly [name: keyof typeof makers, ...given: readonly unknown[]];

const makers = {
  domain: (...given: ConstructorParameters<typeof DomainError>) => new DomainError(...given),
  race: (constraint: string) => new ConstraintRace(constraint),
  violation: (message: string) => new ConstraintViolation(message),
  conflict: (message: string) => new ConcurrencyConflict(message),
  unavailable: (reason: UnavailableError['reason'], message: string) =>
    new UnavailableError(reason, undefined, message),
  application: (kind: ApplicationError['kind'], message: string) => new ApplicationError(kind, message),
  other: (text: string) => new Error(text),
} as const;

export const encodeError = (error: unknown): EncodedError => {
  if (error instanceof DomainError) return ['domain', error.kind, error.message, error.fieldErrors];
  if (error instanceof ConstraintRace) return ['race', error.constraint];
  if (error instanceof ConstraintViolation) return ['violation', error.message];
  if (error instanceof ConcurrencyConflict) return ['conflict', error.message];
  if (error instanceof UnavailableError) return ['unavailable', error.reason, error.message];
  if (error instanceof ApplicationError) return ['application', error.kind, error.message];
  return ['other', error instanceof Error ? `${error.name}: ${error.message}` : String(error)];
};

export const decodeError = ([name, ...given]: EncodedError): Error =>
  (makers[name] as (...all: readonly unknown[]) => Error)(...given);
