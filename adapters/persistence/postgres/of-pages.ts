import type { Dialect } from '../sql/dialect.ts';

/** How PostgreSQL is asked for pages. Those of the API have up to 100 rows, and one is read to see whether there are more. */
export const ofPages: Pick<Dialect, 'limit' | 'maxGenericPlanRows'> = {
  limit: (place) => place,
  maxGenericPlanRows: 128,
};
