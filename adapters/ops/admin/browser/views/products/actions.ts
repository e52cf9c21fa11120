import type { BodyOf } from '../../../client/index.ts';
import { confirmAction } from '../../components/dialog.ts';
import type { Product } from '../../resources.ts';
import type { Context } from '../../view.ts';
import { changeProduct, isProductChanged } from './changes.ts';

/** Changes a product as it was shown. What has changed meanwhile is reported once, and replaced when it is confirmed again. */
const changing = (context: Context, product: Product, body: BodyOf<'PATCH /products/{id}'>) => {
  let shown = product;
  return async () => {
    try {
      return await changeProduct(context, shown, body);
    } catch (error) {
      if (isProductChanged(error)) shown = error.resource;
      throw error;
    }
  };
};

const questions: Readonly<Record<'active' | 'archived', readonly [confirm: string, text: string]>> = {
  active: ['Activate', 'Customers can see and order it.'],
  archived: ['Archive', 'Customers can no longer see or order it. You can activate it again at any time.'],
};

export const changeStatus = (context: Context, product: Product, status: 'active' | 'archived') => {
  const [confirm, text] = questions[status];
  return confirmAction({
    ...{ title: `${confirm} ${product.name}?`, text, confirm },
    run: changing(context, product, { status }),
  });
};

export const stopCounting = (context: Context, product: Product) =>
  confirmAction({
    title: `Stop counting ${product.name}?`,
    text: 'It never runs out then. To count it again, type how many there are.',
    confirm: 'Stop counting',
    run: changing(context, product, { stock: null }),
  });

/** @returns true when the product is deleted */
export const removeProduct = ({ api }: Context, product: Product) =>
  confirmAction({
    title: `Delete ${product.name}?`,
    text: 'Orders keep its name and price. It cannot be undone: archive it instead if you may sell it again.',
    confirm: 'Delete',
    isDangerous: true,
    run: async () => {
      await api.send('DELETE /products/{id}', { path: { id: product.id } });
      return true;
    },
  });
