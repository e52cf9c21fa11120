import type { InlineEdit } from '../../components/inline-edit.ts';
import { formatMoney, formatQuantity } from '../../format.ts';
import { amountToText } from '../../money.ts';
import type { Product } from '../../resources.ts';
import type { Context } from '../../view.ts';
import {
  aboutStock,
  changeProduct,
  changeStock,
  priceOf,
  readProduct,
  readToCount,
  type SeenProduct,
} from './changes.ts';

type EditOf = (
  context: Pick<Context, 'api'>,
  product: SeenProduct,
  replace: (product: Product) => void,
) => InlineEdit<SeenProduct>;

/**
 * A price that is edited where it stands.
 * @param replace gets the product as it is now
 */
export const priceEdit: EditOf = (context, product, replace) => ({
  ...common(context, product, replace, priceEdit, readProduct),
  key: `price-${product.id}`,
  label: `Price of ${product.name} in ${product.price.currency}`,
  text: amountToText(product.price),
  shown: formatMoney(product.price),
  inputmode: 'decimal',
  save: async (text) => {
    const changed = await changeProduct(context, product, { price: priceOf(text, product.price.currency) });
    replace(changed);
    return `Saved: ${changed.name} costs ${formatMoney(changed.price)}.`;
  },
});

/** A stock that is edited where it stands, by a count or by a difference. */
export const stockEdit: EditOf = (context, product, replace) => ({
  ...common(context, product, replace, stockEdit, readToCount),
  key: `stock-${product.id}`,
  label: `Stock of ${product.name}`,
  text: product.stock === null ? '' : `${product.stock}`,
  shown: product.stock === null ? 'Not counted' : formatQuantity(product.stock),
  hasReason: product.stock !== null,
  about: (text) => aboutStock(text, product.stock),
  save: async (text, reason, idempotencyKey) => {
    const changed = await changeStock(context, product, text, reason, idempotencyKey);
    replace(changed);
    return `Saved: ${formatQuantity(changed.stock ?? 0)} of ${changed.name} in stock.`;
  },
});

const common = (
  context: Pick<Context, 'api'>,
  { id }: Product,
  replace: (product: Product) => void,
  edit: EditOf,
  readAgain: (context: Pick<Context, 'api'>, id: string) => Promise<SeenProduct>,
): Pick<InlineEdit<SeenProduct>, 'read' | 'of'> => ({
  read: async () => {
    const product = await readAgain(context, id);
    replace(product);
    return product;
  },
  of: (product) => edit(context, product, replace),
});
