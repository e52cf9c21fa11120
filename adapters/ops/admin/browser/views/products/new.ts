import { field } from '../../components/dialog.ts';
import { createKeys } from '../../components/keys.ts';
import { load, show } from '../../components/states.ts';
import { formOf, textOf, valuesOf } from '../../elements.ts';
import { parseThousandths } from '../../format.ts';
import { html } from '../../lit.ts';
import { hrefOf } from '../../router.ts';
import type { Context, View } from '../../view.ts';
import { type FormState, fieldsOf, type InitialFields, productForm, productFormOf } from './form.ts';

const empty = { name: '', description: null, sku: null, tags: [], image_urls: [] };

/** What a shop without products begins with: most sell whole pieces. */
const first: Pick<InitialFields, 'price' | 'tax_rate' | 'quantity_step'> = {
  ...{ price: { currency: 'EUR' }, tax_rate: null, quantity_step: 1 },
};

/** Adds a product, as a draft that customers do not see yet or at once for sale. */
export const newProductView = (context: Context): View => {
  const { api, signal, update, notify } = context;
  const state: FormState = { isSaving: false, error: undefined };
  const keyOf = createKeys();
  // The currency, tax and step of the last product are the likeliest of the next.
  const beginning = load(context, async (): Promise<InitialFields> => {
    const { data } = await api.send('GET /products', { query: { sort: '-id', limit: 1 }, signal });
    const [{ price, tax_rate, quantity_step } = first] = data;
    return { ...empty, price: { currency: price.currency }, tax_rate, quantity_step };
  });

  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (state.isSaving) return;
    Object.assign(state, { isSaving: true, error: undefined });
    update();
    try {
      const form = formOf(event);
      const values = valuesOf(form);
      const status = values['status'] === 'draft' ? ('draft' as const) : ('active' as const);
      const body = { ...fieldsOf(form), stock: stockOf(textOf(values, 'stock')), status };
      const { data } = await api.send('POST /products', { body, idempotencyKey: keyOf(body) });
      if (signal.aborted) return;
      view.hasUnsaved = undefined;
      notify(`Added: ${data.name}.`);
      location.hash = hrefOf(`/products/${data.id}`);
    } catch (error) {
      keyOf.afterError(error);
      Object.assign(state, { isSaving: false, error });
      update();
    }
  };

  const view: View = {
    title: 'Add a product',
    hasUnsaved,
    template: () =>
      html`<div class="narrow">${show(beginning, (product) => productForm({ product, state, submit, confirm: 'Add', more }))}</div>`,
  };
  return view;
};

/** Some fields begin with a value. */
const hasUnsaved = (): boolean => {
  const form = productFormOf();
  if (form === null) return false;
  const { currency, tax_rate: _, quantity_step: __, status, ...typed } = valuesOf(form);
  return Object.values(typed).some((text) => text.trim() !== '');
};

const more = html`
  ${field('Stock', 'stock', { inputmode: 'decimal', hint: 'How many there are. Leave it empty when you do not count them.' })}
  <label class="field">
    <span>Status</span>
    <select name="status">
      <option value="active">Active: customers can order it</option>
      <option value="draft">Draft: customers do not see it yet</option>
    </select>
  </label>
`;

const stockOf = (text: string): number | null => {
  if (text === '') return null;
  const thousandths = parseThousandths(text);
  if (thousandths === undefined) throw new Error(`Type a stock such as 40, not “${text}”.`);
  return thousandths / 1000;
};
