/** What a log shows of an error. */
interface Shown {
  readonly type: string;
  readonly message: string;
  readonly stack?: string | undefined;
  readonly [detail: string]: unknown;
}

/**
 * Details that say what went wrong and not with whose data. Drivers and SDKs hang much more onto their errors: rows that
 * were refused, requests with their headers, all that was answered.
 */
const harmless = [
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

/** How far back causes are told. */
const mostCauses = 5;

/** An error as it may stand in a log, with what caused it. */
export const shownError = (error: unknown, depth = 0): Shown => {
  if (!(error instanceof Error)) {
    return {
      type: error === null ? 'null' : typeof error,
      message: 'Something was thrown that is no error.',
    };
  }
  const { message, stack, cause } = error;
  const details = Object.fromEntries(harmless.map((name) => [name, plain(Reflect.get(error, name))]));
  const errors = error instanceof AggregateError && depth < mostCauses && error.errors;
  return {
    type: error.constructor.name,
    message,
    stack,
    ...details,
    ...(cause !== undefined && depth < mostCauses && { cause: shownError(cause, depth + 1) }),
    ...(errors && { errors: errors.slice(0, mostCauses).map((one) => shownError(one, depth + 1)) }),
  };
};

const plain = (value: unknown): string | number | undefined =>
  typeof value === 'string' || typeof value === 'number' ? value : undefined;
