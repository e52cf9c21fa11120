import type { CompareOptions } from '../../../product-files/compare.ts';
import type { ColumnGuess } from '../../../product-files/guess-columns.ts';
import type { DecimalSign } from '../../../product-files/numbers.ts';
import type { StockUse } from '../../../product-files/plan.ts';
import { digitsOf } from '../../format.ts';

/** How a file is to be read, as a person has chosen. */
export interface ImportSettings {
  /** The column of each header; undefined where it is left out. */
  readonly chosen: readonly ColumnGuess[];
  /** Of new products whose rows name none. */
  readonly currency: string;
  /** What separates decimals; undefined where it is recognized. */
  readonly sign: DecimalSign | undefined;
  readonly stock: StockUse;
  /** Whether empty cells may empty what decides how a product is sold. */
  readonly allowUncounted: boolean;
}

/** How the cells of a file are read, and compared with the shop. */
export const optionsOf = ({ currency, sign, allowUncounted }: ImportSettings): CompareOptions => ({
  ...{ currency, sign, allowUncounted, decimalsOf: digitsOf },
  ...(sign && { writtenBy: 'people' }),
  advice: {
    sign: 'choose under “Numbers are written” what separates decimals',
    minorUnit: 'choose “Price” for the column',
  },
});
