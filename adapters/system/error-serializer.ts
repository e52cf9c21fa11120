/** An error as the log shows it. */
interface SerializedError {
  readonly type: string;
  readonly message: string;
  readonly stack?: string | undefined;
  readonly [detail: string]: unknown;
}

/**
 * The properties that the log may show. Drivers and SDKs attach far more to their errors: rows, requests with their headers,
 * and whole responses.
 */
const safeProperties = [
  'kind',
  'code',
  'status',
  'statusCode',
  'requestId',
  'syscall',
  'address',
  'port',
  'severity',
  'table',
  'column',
  'constraint',
  'routine',
] as const;

/** Limits the depth of causes, and the number of errors of an AggregateError. */
const maxCauses = 5;

/** Serializes an error for the log, with its causes. A thrown value that is no error shows its type only: it may be a secret. */
export const serializeError = (error: unknown, depth = 0): SerializedError => {
  if (!(error instanceof Error)) {
    return {
      type: error === null ? 'null' : typeof error,
      message: 'A value was thrown that is not an Error.',
    };
  }
  const { message, stack, cause } = error;
  const details = Object.fromEntries(safeProperties.map((name) => [name, scalar(Reflect.get(error, name))]));
  const errors = error instanceof AggregateError && depth < maxCauses && error.errors;
  return {
    type: error.constructor.name,
    message,
    stack,
    ...details,
    ...(cause !== undefined && depth < maxCauses && { cause: serializeError(cause, depth + 1) }),
    ...(errors && { errors: errors.slice(0, maxCauses).map((one) => serializeError(one, depth + 1)) }),
  };
};

const scalar = (value: unknown): string | number | undefined =>
  typeof value === 'string' || typeof value === 'number' ? value : undefined;
