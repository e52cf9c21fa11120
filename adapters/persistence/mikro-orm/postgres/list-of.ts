/** As PostgreSQL writes a list of ids. */
export const listOf = (ids: readonly string[]): string => `{${[...new Set(ids)].join(',')}}`;
