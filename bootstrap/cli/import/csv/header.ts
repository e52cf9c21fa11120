import { didYouMean } from '../../framework/did-you-mean.ts';
import { UsageError } from '../../framework/exit-codes.ts';

/** Another name for a column of a file: `--map "Regular price=price"`. */
export interface Rename {
  /** As the file writes it. */
  readonly from: string;
  /** Empty for a column that is left out. */
  readonly to: string;
}

interface HeaderOptions {
  /** Whether the rows of the file are read by a name, in its normal form. */
  readonly isKnown: (name: string) => boolean;
  /** For messages. */
  readonly known: readonly string[];
  readonly renames: readonly Rename[];
  readonly ignoreUnknown: boolean;
  /** Follows the message about unknown columns. @param names all of them, in their normal form */
  readonly advice: (names: readonly string[]) => string;
}

export interface Header {
  /** The name of each cell in its normal form; undefined for a column that is ignored, '' for one without a name. */
  readonly names: readonly (string | undefined)[];
  /** The names as the file writes them. */
  readonly written: ReadonlyMap<string, string>;
  /** The columns that are left out, as the file writes them. */
  readonly ignored: readonly string[];
}

/** `Price Amount` and `price_amount` are one name. Names of metadata differ by their capitals. */
export const normalName = (name: string): string => {
  const [, ofMetadata] = /^metadata\.(.*)$/i.exec(name.trim()) ?? [];
  if (ofMetadata !== undefined) return metadataPrefix + ofMetadata;
  return name
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, '_');
};

/** Begins the name of a column with one text of the metadata: `metadata.colour`. */
export const metadataPrefix = 'metadata.';

/**
 * The columns that a header names. Empty names at its end are no columns.
 * @throws UsageError that names all unknown columns at once, and for a repeated column or a rename from or to none
 */
export const readHeader = (
  cells: readonly string[],
  { isKnown, known, renames, ignoreUnknown, advice }: HeaderOptions,
): Header => {
  requireColumns(cells, renames);
  requireKnown(renames, isKnown, known);
  const last = cells.findLastIndex((cell) => cell.trim() !== '');
  const all = cells.slice(0, last + 1).map((cell) => cell.trim());
  const targets = all.map((cell) => normalName(renameOf(cell, renames)?.to ?? cell));
  const names = targets.map((name, index) => (name === '' && all[index] !== '' ? undefined : name));
  const unknown = all.filter((_, index) => {
    const name = names[index];
    return name !== undefined && name !== '' && !isKnown(name);
  });
  if (unknown.length > 0 && !ignoreUnknown) {
    throw new UsageError(`${unknownMessage(unknown, known)}${advice(unknown.map(normalName))}`);
  }
  const used = names.map((name) => (name === undefined || name === '' || isKnown(name) ? name : undefined));
  requireEachOnce(used);
  return {
    names: used,
    written: new Map(used.flatMap((name, index) => (name ? [[name, all[index] ?? name]] : []))),
    ignored: all.filter((_, index) => used[index] === undefined),
  };
};

const renameOf = (cell: string, renames: readonly Rename[]): Rename | undefined =>
  renames.find(({ from }) => normalName(from) === normalName(cell));

const requireColumns = (cells: readonly string[], renames: readonly Rename[]): void => {
  for (const { from } of renames) {
    if (cells.some((cell) => normalName(cell) === normalName(from))) continue;
    const advice = didYouMean(from, cells) || ` Its columns are ${listOf(cells)}.`;
    throw new UsageError(
      `--map names the column ${JSON.stringify(from)}, which the header does not have.${advice}`,
    );
  }
};

/** Without it, --ignore-unknown would leave out the column that the rename is for. */
const requireKnown = (
  renames: readonly Rename[],
  isKnown: (name: string) => boolean,
  known: readonly string[],
): void => {
  for (const { to } of renames) {
    const name = normalName(to);
    if (name === '' || isKnown(name)) continue;
    const advice = didYouMean(to, known) || ` Known columns are ${known.join(', ')}.`;
    throw new UsageError(`--map gives a column the name ${JSON.stringify(to)}, which is unknown.${advice}`);
  }
};

const requireEachOnce = (names: readonly (string | undefined)[]): void => {
  const seen = new Set<string>();
  for (const name of names) {
    if (!name) continue;
    if (seen.has(name)) throw new UsageError(`The header has the column ${name} twice.`);
    seen.add(name);
  }
};

const listOf = (names: readonly string[]): string =>
  names
    .filter((name) => name.trim() !== '')
    .map((name) => JSON.stringify(name))
    .join(', ');

const unknownMessage = (unknown: readonly string[], known: readonly string[]): string => {
  const quoted = listOf(unknown);
  const what =
    unknown.length === 1 ? `an unknown column ${quoted}` : `${unknown.length} unknown columns: ${quoted}`;
  return `The header has ${what}. Known columns are ${known.join(', ')}.`;
};
