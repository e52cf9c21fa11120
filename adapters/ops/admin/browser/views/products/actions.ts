// @ts-nocheck

import { confirmAction } from '../../components/dialog.ts';
import { ChangedMeanwhileError } from '../../errors.ts';
import { changeProduct } from './changes.ts';

/** Changes a product as it was shown. What has changed meanwhile is said once, and replaced when it is confirmed again. */
const changing = (context, product, body) => {
  let shown = product;
  return async () => {
    try {
      return await changeProduct(context, shown, body);
    } catch (error) {
      if (error instanceof ChangedMeanwhileError) shown = error.resource;
      throw error;
    }
  };
};

const questions = {
  active: ['Activate', 'Customers can see and order it.'],
  archived: ['Archive', 'Customers can no longer see or order it. You can activate it again at any time.'],
};

export const changeStatus = (context, product, status) => {
  const [confirm, text] = questions[status];
  return confirmAction({
    ...{ title: `${confirm} ${product.name}?`, text, confirm },
    run: changing(context, product, { status }),
  });
};

export const stopCounting = (context, product) =>
  confirmAction({
    title: `Stop counting ${product.name}?`,
    text: 'It never runs out then. To count it again, type how many there are.',
    confirm: 'Stop counting',
    run: changing(context, product, { stock: null }),
  });

/** @returns true when the product is deleted */
export const removeProduct = ({ api }, product) =>
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
