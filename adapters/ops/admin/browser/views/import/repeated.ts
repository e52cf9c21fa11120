import type { RepeatedRow, StockUse } from '../../../product-files/plan.ts';
import { formatCount } from '../../format.ts';

/** How many rows are named. */
const named = 10;

/** Names the rows whose article number another row has, too. */
export const repeatedText = (repeated: readonly RepeatedRow[], stockUse: StockUse): string => {
  const rows = repeated.slice(0, named);
  const others = repeated.length - rows.length;
  const [first] = rows;
  const which =
    repeated.length === 1 && first !== undefined
      ? `Line ${first.line} repeats the article number ${first.sku} of line ${first.before}.`
      : `${formatCount(repeated.length)} rows repeat the article number of a row above: ${rows
          .map(({ line, sku, before }) => `line ${line} (${sku}, as line ${before})`)
          .join(', ')}${others > 0 ? `, and ${formatCount(others)} more` : ''}.`;
  return `${which} ${
    stockUse === 'add'
      ? 'All are added to the stock; for the rest the last one counts.'
      : 'The last one counts.'
  }`;
};
