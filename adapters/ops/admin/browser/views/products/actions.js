import { confirmAction } from '../../parts/dialog.js';
import { changeProduct } from './changes.js';

const questions = {
  active: ['Activate', 'Customers can see and order it.'],
  archived: ['Archive', 'Customers can no longer see or order it. You can activate it again at any time.'],
};

export const changeStatus = (context, product, status) => {
  const [confirm, text] = questions[status];
  return confirmAction({
    ...{ title: `${confirm} ${product.name}?`, text, confirm },
    run: () => changeProduct(context, product, { status }),
  });
};

export const stopCounting = (context, product) =>
  confirmAction({
    title: `Stop counting ${product.name}?`,
    text: 'It never runs out then. To count it again, type how many there are.',
    confirm: 'Stop counting',
    run: () => changeProduct(context, product, { stock: null }),
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
