import type { Metrics } from '#adapters/metrics/metrics.ts';
import type { OpenLog } from '#adapters/system/log.ts';
import type { ReportMismatch } from '#application/payments/checked-provider.ts';

/** Logs and counts what the payment provider says differently from what was asked. A person has to look at it. */
export const reporting = (
  { mismatch }: Pick<Metrics, 'mismatch'>,
  log: Pick<OpenLog, 'error'>,
): { readonly reportMismatch: ReportMismatch } => ({
  reportMismatch: ({ process, subject, difference }) => {
    mismatch(process);
    log.error(
      { process, id: subject, difference },
      'The payment provider does not confirm what was asked. Look it up there, then run portico payments settle.',
    );
  },
});
