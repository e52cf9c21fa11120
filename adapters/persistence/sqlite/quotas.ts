import type { QuotaDialect } from '../sql/quotas.ts';

export const quotaDialect: QuotaDialect = {
  now: "cast(round(unixepoch('subsec') * 1000) as integer)",
  rowsFromJson:
    "(select value ->> 'key' as key, value ->> 'count' as count, value ->> 'ends_at' as ends_at from json_each($1)) as given",
  skipLocked: '',
};
