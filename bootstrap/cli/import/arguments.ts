import type { DecimalSign } from '#adapters/product-files/numbers.ts';
import type { PresetName } from '#adapters/product-files/presets.ts';
import { Money } from '#domain/money.ts';
import { UsageError } from '../framework/exit-codes.ts';
import type { Rename } from './header.ts';
import { type Format, formatOf } from './product-rows.ts';

/** The arguments of an import, of which its continuation has the same. */
export interface ImportArguments {
  readonly file: string;
  /** Undefined when it follows from the file's name. */
  readonly format: Format | undefined;
  readonly quiet: boolean;
  readonly json: boolean;
  readonly preset?: PresetName | undefined;
  readonly map?: readonly Rename[] | undefined;
  readonly ignoreUnknown?: boolean;
  readonly currency?: string | undefined;
  readonly decimal?: DecimalSign | true | undefined;
  readonly encoding?: string | undefined;
  readonly allowUncounted?: boolean;
}

/** The command that imports the rest of a file, quoted for a shell. */
export const resumeHint = (line: number, values: ImportArguments): string => {
  const { file, format, quiet, json, map = [], preset, currency, decimal, encoding } = values;
  const { ignoreUnknown, allowUncounted } = values;
  const options: readonly (readonly [string, string | undefined])[] = [
    ['--format', format],
    ['--preset', preset],
    ...map.map(({ from, to }) => ['--map', `${from}=${to}`] as const),
    ['--currency', currency],
    ['--encoding', encoding],
  ];
  const words = [
    ...['portico', 'import', 'products', shellQuote(file), '--from-line', `${line}`],
    ...options.flatMap(([name, value]) => (value === undefined ? [] : [name, shellQuote(value)])),
  ];
  if (ignoreUnknown) words.push('--ignore-unknown');
  if (allowUncounted) words.push('--allow-uncounted');
  if (decimal !== undefined) words.push(decimal === true ? '--decimal' : `--decimal=${decimal}`);
  if (quiet) words.push('--quiet');
  if (json) words.push('--json');
  const instruction = file === '-' ? 'To continue, send the same input to' : 'To continue, run';
  return `${instruction}: ${words.join(' ')}`;
};

const shellQuote = (word: string): string =>
  /^[\w./:@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;

/** `Regular price=price`. The last `=` counts, as a column may have one. */
export const parseRename = (text: string): Rename | undefined => {
  const at = text.lastIndexOf('=');
  return at < 1 ? undefined : { from: text.slice(0, at), to: text.slice(at + 1) };
};

export const parseCurrency = (text: string): string | undefined => {
  const code = text.toUpperCase();
  return Money.currency.violation(code) === undefined ? code : undefined;
};

/**
 * The format of the file. An option for CSV states it where a name such as `-` or `export.txt` does not.
 * @throws UsageError for options that do not belong together
 */
export const formatFor = (values: ImportArguments): Format => {
  const { file, format, preset, map, ignoreUnknown, allowUncounted, currency, decimal } = values;
  if (preset !== undefined && decimal !== undefined) {
    throw new UsageError('--preset knows how prices are written. Leave out --decimal.');
  }
  const [option] =
    [
      ['--preset', preset],
      ['--map', map?.[0]],
      ['--ignore-unknown', ignoreUnknown || undefined],
      ['--allow-uncounted', allowUncounted || undefined],
      ['--currency', currency],
      ['--decimal', decimal],
    ].find(([, given]) => given !== undefined) ?? [];
  if (option === undefined) return format ?? formatOf(file);
  if (format === 'jsonl' || (format === undefined && /\.jsonl?$/i.test(file))) {
    throw new UsageError(`${option} is for CSV files, and this is JSON Lines.`);
  }
  return 'csv';
};
