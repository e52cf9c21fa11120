import type { QuotaDialect } from '../sql/quotas.ts';

export const quotaDialect: QuotaDialect = {
  // Not `now()`: whoever had to wait for the row would open a window that began before it was there.
  now: '(extract(epoch from clock_timestamp()) * 1000)::bigint',
  rowsFromJson: 'json_to_recordset($1) as given(key uuid, count integer, ends_at bigint)',
  skipLocked: ' for update skip locked',
};
