import type { DomainErrorKind } from '#domain/errors.ts';
import { statusAndCode } from '../errors.ts';

/** The parts of a stored response before its body. */
interface StoredOutcome {
  readonly status: number | null;
  /** Null unless it is an error. */
  readonly errorCode: string | null;
  /** The path of what was created. */
  readonly location: string | null;
}

/** @param start the beginning of a stored response of `executeUseCase`, at least up to its body; null when there is none */
export const outcomeIn = (start: string | null): StoredOutcome => {
  const [, kind, status, headers] = beginning.exec(start ?? '') ?? [];
  if (kind !== undefined && kind in statusAndCode) {
    const error = statusAndCode[kind as DomainErrorKind];
    return { status: error.status, errorCode: error.code, location: null };
  }
  const [, location = null] = locationHeader.exec(headers ?? '') ?? [];
  return { status: status === undefined ? null : Number(status), errorCode: null, location };
};

const beginning = /^\{(?:"kind":"([a-z-]+)"|"status":(\d{3}),"headers":\{([^{}]*)\})/;
const locationHeader = /(?:^|,)"Location":"([^"\\]+)"/;
