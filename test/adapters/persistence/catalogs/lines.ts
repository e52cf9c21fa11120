export type Row = Readonly<Record<string, unknown>>;

/** One line of a catalog: what it is about, and its attributes by name. Those that are not set are left out. */
export const lineOf = (table: string, part: string, attributes: Row): string => {
  const texts = Object.entries(attributes)
    .filter(
      ([, value]) => value !== undefined && value !== null && value !== '' && value !== false && value !== 0,
    )
    .map(([name, value]) => (value === true || value === 1 ? name : `${name}=${String(value).trim()}`));
  return [table, part, ...texts].filter((text) => text !== '').join(' ');
};
