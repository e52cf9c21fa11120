import type { OpenLog } from '#adapters/system/log.ts';
import { concernedBy, UnavailableError } from '#application/errors.ts';

/**
 * Logs a request with a status from 500 on, with the payment and the order that a failed call of the provider was about. Of requests that
 * cannot be served for the same reason there is no line for each: that of the access log has the reason.
 */
export const reportFailedRequest =
  (log: Pick<OpenLog, 'error' | 'report'>) =>
  (error: unknown, requestId: string): void => {
    const fields = { err: error, requestId, ...concernedBy(error) };
    if (error instanceof UnavailableError) log.report('error', fields, 'A request failed.');
    else log.error(fields, 'A request failed.');
  };
