import { statusChip } from '../../components/chips.ts';
import { inlineEdits } from '../../components/inline-edit.ts';
import { onEvents } from '../../components/live.ts';
import { load, show } from '../../components/states.ts';
import { formOf } from '../../elements.ts';
import { formatTime } from '../../format.ts';
import { html, nothing } from '../../lit.ts';
import type { Product } from '../../resources.ts';
import { hrefOf } from '../../router.ts';
import type { Context, View } from '../../view.ts';
import { changeStatus, removeProduct, stopCounting } from './actions.ts';
import { stockEdit } from './cells.ts';
import { changeProduct, isProductChanged, type SeenProduct } from './changes.ts';
import { differing, type FormState, fieldsOf, productForm, productFormOf } from './form.ts';
import { stockChanges } from './stock-changes.ts';

/** One product: its fields, its stock with what has changed it, and whether customers see it. */
export const productView = (context: Context): View => {
  const { api, params, signal, update, notify } = context;
  const view: View = { title: 'Product', template: () => nothing };
  const form: ProductState = { initial: undefined, known: undefined, isSaving: false, error: undefined };
  const loading = load(context, async () => {
    const { data } = await api.send('GET /products/{id}', { path: { id: params.id }, signal });
    view.title = data.name;
    if (form.initial === undefined) Object.assign(form, { initial: data, known: data });
    return data;
  });
  const changes = stockChanges(context, params.id);
  const editable = inlineEdits<SeenProduct>(context);
  const reload = () => {
    loading.reload();
    changes.reload();
  };
  onEvents(
    context,
    { type: 'product.*' },
    (events) => events.some(({ subject }) => subject.id === params.id) && reload(),
  );

  const replace = (product: Product) => {
    const isStockNew = loading.value?.stock !== product.stock;
    view.title = product.name;
    loading.replace(product);
    if (isStockNew) changes.reload();
  };

  const save = async (event: SubmitEvent) => {
    event.preventDefault();
    const { initial, known } = form;
    if (form.isSaving || initial === undefined || known === undefined) return;
    Object.assign(form, { isSaving: true, error: undefined });
    update();
    try {
      const body = differing(fieldsOf(formOf(event)), initial);
      const saved = await changeProduct(context, known, body);
      Object.assign(form, { initial: saved, known: saved, isSaving: false });
      replace(saved);
      notify('Saved.');
    } catch (error) {
      if (isProductChanged(error)) form.known = error.resource;
      Object.assign(form, { isSaving: false, error });
      update();
    }
  };

  view.hasUnsaved = () => {
    if (editable.hasUnsaved()) return true;
    const typed = productFormOf();
    if (typed === null || form.initial === undefined) return false;
    try {
      return Object.keys(differing(fieldsOf(typed), form.initial)).length > 0;
    } catch {
      // What is not valid is not what was there.
      return true;
    }
  };

  const act = async (action: Promise<Product | undefined>, done: string) => {
    const changed = await action;
    if (changed === undefined) return;
    replace(changed);
    notify(done);
  };
  const remove = async (product: Product) => {
    if ((await removeProduct(context, product)) === undefined) return;
    view.hasUnsaved = undefined;
    location.hash = '#/products';
    notify(`Deleted: ${product.name}.`);
  };

  const actions = (product: Product) => html`
    <div class="actions">
      ${statusChip(product.status)}
      ${product.status === 'active' ? nothing : html`<button type="button" class="primary" @click=${() => act(changeStatus(context, product, 'active'), 'Customers can order it now.')}>Activate</button>`}
      ${product.status === 'archived' ? nothing : html`<button type="button" @click=${() => act(changeStatus(context, product, 'archived'), 'It is archived.')}>Archive</button>`}
      <button type="button" class="danger" @click=${() => remove(product)}>Delete</button>
    </div>
  `;

  const stockCard = (product: Product) => html`
    <section class="card">
      <h2>Stock</h2>
      <div class="editable large">${editable(stockEdit(context, product, replace))}</div>
      ${product.stock === null ? html`<p class="soft">It never runs out.</p>` : html`<p><button type="button" class="link" @click=${() => act(stopCounting(context, product), 'Its stock is no longer counted.')}>Stop counting</button></p>`}
      ${changes.template()}
    </section>
  `;

  view.template = () =>
    show(
      loading,
      (product) => html`
        ${actions(product)}
        <div class="two-columns">
          <div>${productForm({ product: form.initial ?? product, state: form, submit: save, confirm: 'Save' })}</div>
          <div>${stockCard(product)} ${detailsCard(product)}</div>
        </div>
      `,
    );
  return view;
};

interface ProductState extends FormState {
  /** What the fields begin with. */
  initial: Product | undefined;
  /** By which it is noticed, when they are saved, what another person has changed meanwhile. */
  known: Product | undefined;
}

const detailsCard = ({ id, tags, metadata, created_at: createdAt, updated_at: updatedAt }: Product) => html`
  <section class="card">
    <h2>Details</h2>
    <dl class="facts">
      <dt>Added</dt><dd>${formatTime(createdAt)}</dd>
      <dt>Changed</dt><dd>${formatTime(updatedAt)}</dd>
      ${tags.length > 0 ? html`<dt>Tags</dt><dd class="tags">${tags.map((tag) => html`<a href=${hrefOf('/products', { tag })}>${tag}</a>`)}</dd>` : nothing}
      ${Object.entries(metadata).map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}
      <dt>Id</dt><dd class="id">${id}</dd>
    </dl>
  </section>
`;
