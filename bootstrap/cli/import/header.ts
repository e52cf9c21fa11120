import { columnNamed, exportColumns, normalName } from '#adapters/product-files/columns.ts';
import { guessColumns } from '#adapters/product-files/guess-columns.ts';
import type { Preset } from '#adapters/product-files/preset.ts';
import { presetNames, presets } from '#adapters/product-files/presets.ts';
import type { FileColumns } from '#adapters/product-files/rows.ts';
import { didYouMean } from '../framework/did-you-mean.ts';
import { UsageError } from '../framework/exit-codes.ts';

/** Another name for a column of a file: `--map "Regular price=price"`. */
export interface Rename {
  /** As the file writes it. */
  readonly from: string;
  /** Empty for a column that is left out. */
  readonly to: string;
}

export interface HeaderOptions {
  readonly preset?: Preset | undefined;
  readonly renames?: readonly Rename[] | undefined;
  readonly ignoreUnknown?: boolean | undefined;
  /** Of rows without one. */
  readonly currency?: string | undefined;
}

/** The column by which rows are read, for a name in its normal form; undefined for an unknown name. */
export const knownColumn = (name: string, preset: Preset | undefined): string | undefined =>
  preset?.isColumn(name) ? name : columnNamed(name);

/**
 * The columns that a header names. Empty names at its end are no columns.
 * @throws UsageError that names all unknown columns at once, and for a column that is there twice, missing, or renamed from or to
 *   an unknown one
 */
export const readHeader = (cells: readonly string[], options: HeaderOptions): FileColumns => {
  const { preset, renames = [], ignoreUnknown = false } = options;
  requireColumns(cells, renames);
  requireKnown(renames, preset);
  const last = cells.findLastIndex((cell) => cell.trim() !== '');
  const headers = cells.slice(0, last + 1).map((cell) => cell.trim());
  const names = headers.map((header) => {
    const target = normalName(renameOf(header, renames)?.to ?? header);
    return target === '' && header === '' ? '' : knownColumn(target, preset);
  });
  const unknown = headers.filter(
    (header, index) => names[index] === undefined && renameOf(header, renames)?.to !== '',
  );
  // An export has columns for which Portico has no field.
  if (unknown.length > 0 && !ignoreUnknown && preset === undefined) {
    throw new UsageError(`${unknownMessage(unknown)}${unknownAdvice(headers, unknown)}`);
  }
  requireEachOnce(names);
  requireNeeded(names, options);
  return { names, headers };
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
const requireKnown = (renames: readonly Rename[], preset: Preset | undefined): void => {
  for (const { to } of renames) {
    const name = normalName(to);
    if (name === '' || knownColumn(name, preset) !== undefined) continue;
    const advice = didYouMean(to, exportColumns) || ` Known columns are ${exportColumns.join(', ')}.`;
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

const unknownMessage = (unknown: readonly string[]): string => {
  const quoted = listOf(unknown);
  const what =
    unknown.length === 1 ? `an unknown column ${quoted}` : `${unknown.length} unknown columns: ${quoted}`;
  return `The header has ${what}. Known columns are ${exportColumns.join(', ')}.`;
};

const unknownAdvice = (headers: readonly string[], unknown: readonly string[]): string => {
  const all = headers.map(normalName);
  const preset = presetNames.find((name) =>
    Object.values(presets[name].sources).every((names) => names.some((one) => all.includes(one))),
  );
  if (preset !== undefined) return ` For the export of ${presets[preset].title}, use --preset ${preset}.`;
  if (headers.some((cell) => /^\d+([.,]\d+)*$/.test(cell))) {
    return ' The first line must name the columns, and this one has numbers. Add a line of names above it.';
  }
  const guesses = guessColumns(headers);
  const renames = headers.flatMap((header, index) => {
    const guess = columnNamed(guesses[index] ?? '');
    // A header with other signs may have another effect in a shell.
    const isSafe = /^[\p{L}\p{N} _.-]+$/u.test(header);
    return guess !== undefined && unknown.includes(header) && isSafe ? `--map "${header}=${guess}"` : [];
  });
  const meant = unknown.length === 1 && renames.length === 0 ? didYouMean(unknown.join(), ownNames) : '';
  const map = renames.length === 0 ? '--map "THEIR NAME=name"' : renames.join(' ');
  return ` Rename columns with ${map}, or leave them out with --ignore-unknown.${meant}`;
};

const ownNames: readonly string[] = [...exportColumns, 'price', 'currency'];

const priceNames = ['price', 'price_amount'];

const requireNeeded = (names: readonly (string | undefined)[], { preset, currency }: HeaderOptions): void => {
  const has = (wanted: readonly string[]) => wanted.some((name) => names.includes(name));
  if (preset === undefined && priceNames.every((name) => names.includes(name))) {
    throw new UsageError('The header has the columns price and price_amount. Keep one of them.');
  }
  const skuNames = preset?.sources.sku ?? ['sku'];
  if (!has(['sku', ...skuNames])) {
    const ofPreset = preset === undefined ? '' : ` of ${preset.title}`;
    throw new UsageError(
      `The header lacks the required column ${skuNames.at(-1)}${ofPreset}. If the file has another name for it, use --map "THAT NAME=${skuNames.at(-1)}".`,
    );
  }
  const hasPrice = has(preset === undefined ? ['price'] : [...preset.sources.price, ...priceNames]);
  if (!hasPrice || currency !== undefined || has(['price_currency'])) return;
  throw new UsageError(
    preset === undefined
      ? 'The header lacks the required column price_currency. Without a column for the currency, add --currency EUR, for example.'
      : `The export of ${preset.title} names no currency. Add --currency EUR, for example.`,
  );
};
