/** As PostgreSQL writes a list of texts, each of them once. */
export const listOf = (texts: readonly string[]): string =>
  `{${[...new Set(texts)].map((text) => `"${text.replaceAll(/["\\]/g, '\\$&')}"`).join(',')}}`;
