import { styleText } from 'node:util';
import type { Environment } from '../../config/env-parser.ts';

/**
 * Text from outside (a name, a line of a file) made safe for a terminal. Control characters, line ends and
 * direction marks, which could forge other output, become `\uXXXX`.
 */
export const escapeControl = (text: string): string =>
  text.replace(
    /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

type Paint = (text: string) => string;

/** Each escapes its text and, where colours are supported, paints it. */
export interface Colours {
  readonly success: Paint;
  readonly warning: Paint;
  readonly error: Paint;
  readonly dim: Paint;
}

/** `NO_COLOR` switches colours off (https://no-color.org), and `FORCE_COLOR` switches them on without a terminal. */
export const supportsColours = (
  { NO_COLOR, FORCE_COLOR, TERM }: Environment,
  isTerminal: boolean | undefined,
): boolean => {
  if (NO_COLOR !== undefined && NO_COLOR !== '') return false;
  if (FORCE_COLOR !== undefined) return FORCE_COLOR !== '0' && FORCE_COLOR !== 'false';
  return isTerminal === true && TERM !== 'dumb';
};

export const createColours = (isEnabled: boolean): Colours => {
  const paint =
    (style: 'green' | 'yellow' | 'red' | 'dim'): Paint =>
    (text) => {
      const plain = escapeControl(text);
      return isEnabled ? styleText(style, plain, { validateStream: false }) : plain;
    };
  return { success: paint('green'), warning: paint('yellow'), error: paint('red'), dim: paint('dim') };
};

/** Rows as a table with aligned columns; the first row is the header. */
export const renderTable = (cells: readonly (readonly string[])[]): string => {
  const rows = cells.map((row) => row.map(escapeControl));
  const widths: number[] = [];
  for (const row of rows) {
    for (const [index, text] of row.entries()) widths[index] = Math.max(widths[index] ?? 0, text.length);
  }
  const lines = rows.map((row) => row.map((text, index) => text.padEnd(widths[index] ?? 0)).join('  '));
  return lines.map((line) => `${line.trimEnd()}\n`).join('');
};
