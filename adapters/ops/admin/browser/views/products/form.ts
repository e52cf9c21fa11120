import { field, moneyField } from '../../components/dialog.ts';
import { errorBox } from '../../components/states.ts';
import { textOf, valuesOf } from '../../elements.ts';
import { parseThousandths } from '../../format.ts';
import { html, nothing, type TemplateResult } from '../../lit.ts';
import { amountToText } from '../../money.ts';
import type { Product } from '../../resources.ts';
import type { Content } from '../../view.ts';
import { fieldOf, priceOf } from './changes.ts';

/** The fields of a product that are saved together. */
export type ProductFields = Pick<
  Product,
  'name' | 'description' | 'price' | 'tax_rate' | 'quantity_step' | 'sku' | 'tags' | 'image_urls'
>;

/** What the fields begin with. A new product has no amount yet. */
export interface InitialFields extends Omit<ProductFields, 'price'> {
  readonly price: { readonly amount?: number; readonly currency: string };
}

export interface FormState {
  isSaving: boolean;
  error: unknown;
}

interface ProductForm {
  readonly product: InitialFields;
  readonly state: Readonly<FormState>;
  readonly submit: (event: SubmitEvent) => void;
  readonly confirm: string;
  /** Fields behind those of all products. */
  readonly more?: Content;
}

export const productForm = ({
  product,
  state,
  submit,
  confirm,
  more = nothing,
}: ProductForm): TemplateResult => html`
  <form class="card product" @submit=${submit}>
    ${field('Name', 'name', { value: product.name, required: true, maxlength: 200 })}
    <label class="field">
      <span>Description</span>
      <textarea name="description" rows="5" maxlength="5000" .value=${product.description ?? ''}></textarea>
    </label>
    <div class="beside">
      ${moneyField('Price', 'price', { value: priceText(product.price) })}
      ${field('Currency', 'currency', { value: product.price.currency, required: true, maxlength: 3, hint: 'Such as EUR or USD' })}
      ${field('Tax in percent', 'tax_rate', { value: product.tax_rate === null ? '' : `${product.tax_rate}`, inputmode: 'decimal', hint: 'The price includes it' })}
    </div>
    ${field('Sold in steps of', 'quantity_step', { value: `${product.quantity_step ?? ''}`, inputmode: 'decimal', hint: 'Such as 1 for whole pieces or 0.25. Leave it empty to sell any quantity, such as 1.5' })}
    ${field('Article number (SKU)', 'sku', { value: product.sku ?? '', maxlength: 64, hint: 'Your own number for it, which no other product has' })}
    ${field('Tags', 'tags', { value: product.tags.join(', '), hint: 'Separated by commas: letters a to z, digits and hyphens' })}
    <label class="field">
      <span>Images</span>
      <textarea name="image_urls" rows="3" .value=${product.image_urls.join('\n')} spellcheck="false"></textarea>
      <small>Addresses that begin with https://, one a line, the main one first</small>
    </label>
    ${more} ${state.error === undefined ? nothing : errorBox(state.error)}
    <div class="buttons">
      <button class="primary" aria-disabled=${state.isSaving}>${state.isSaving ? 'Saving …' : confirm}</button>
    </div>
  </form>
`;

/** @returns the fields as the API accepts them @throws Error for a text that is no value of its field */
export const fieldsOf = (form: HTMLFormElement): ProductFields => {
  const values = valuesOf(form);
  const text = (name: string) => textOf(values, name);
  const currency = text('currency').toUpperCase();
  if (!/^[A-Z]{3}$/.test(currency)) throw new Error('The currency has three letters, such as EUR.');
  return {
    name: text('name'),
    description: text('description').replaceAll('\r\n', '\n') || null,
    price: priceOf(text('price'), currency),
    tax_rate: taxRateOf(text('tax_rate')),
    quantity_step: quantityStepOf(text('quantity_step')),
    sku: text('sku') || null,
    tags: partsOf(text('tags').toLowerCase(), /,/),
    image_urls: partsOf(text('image_urls'), /\s+/),
  };
};

const priceText = ({ amount, currency }: InitialFields['price']): string =>
  amount === undefined ? '' : amountToText({ amount, currency });

/** The form of the product on the page, if it is there. */
export const productFormOf = (): HTMLFormElement | null =>
  document.querySelector<HTMLFormElement>('form.product');

/** The fields that differ from those of a product. */
export const differing = (fields: ProductFields, product: InitialFields): Partial<ProductFields> =>
  Object.fromEntries(
    Object.entries(fields).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(fieldOf(product, name)),
    ),
  );

const taxRateOf = (text: string): number | null => {
  const digits = text.replace(/\s*%$/, '').replace(',', '.');
  if (digits === '') return null;
  if (!/^\d{1,3}(\.\d{1,3})?$/.test(digits)) throw new Error(`Type a tax such as 20 or 5.5, not “${text}”.`);
  return Number(digits);
};

const quantityStepOf = (text: string): number | null => {
  if (text === '') return null;
  const thousandths = parseThousandths(text);
  if (!thousandths) throw new Error(`Type a step such as 1 or 0.25, not “${text}”.`);
  return thousandths / 1000;
};

const partsOf = (text: string, separator: RegExp): readonly string[] => [
  ...new Set(
    text
      .split(separator)
      .map((part) => part.trim())
      .filter((part) => part !== ''),
  ),
];
