import { styleText } from 'node:util';
import type { Environment } from '../../config/env-parser.ts';
import { visible } from './escape-control.ts';

type Painted = (text: string) => string;

/** The few colours that there are; plain text where nobody would see them. */
export interface Colours {
  readonly good: Painted;
  readonly doubtful: Painted;
  readonly bad: Painted;
  readonly faint: Painted;
}

/**
 * Colours are for terminals. NO_COLOR keeps them away from everywhere (https://no-color.org), and FORCE_COLOR brings them
 * where there is no terminal.
 */
export const hasColours = (
  { NO_COLOR, FORCE_COLOR, TERM }: Environment,
  isTerminal: boolean | undefined,
): boolean => {
  if (NO_COLOR !== undefined && NO_COLOR !== '') return false;
  if (FORCE_COLOR !== undefined) return FORCE_COLOR !== '0' && FORCE_COLOR !== 'false';
  return isTerminal === true && TERM !== 'dumb';
};

export const colours = (areThere: boolean): Colours => {
  const paint =
    (style: 'green' | 'yellow' | 'red' | 'dim'): Painted =>
    (text) => {
      const plain = visible(text);
      return areThere ? styleText(style, plain, { validateStream: false }) : plain;
    };
  return { good: paint('green'), doubtful: paint('yellow'), bad: paint('red'), faint: paint('dim') };
};
