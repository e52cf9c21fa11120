// @ts-nocheck

import { statusChip } from '../../components/chips.ts';
import { inlineEdits } from '../../components/inline-edit.ts';
import { onEvents } from '../../components/live.ts';
import { load, show } from '../../components/states.ts';
import { ChangedMeanwhileError } from '../../errors.ts';
import { formatTime } from '../../format.ts';
import { html, nothing } from '../../lit.ts';
import { hrefOf } from '../../router.ts';
import { changeStatus, removeProduct, stopCounting } from './actions.ts';
import { stockEdit } from './cells.ts';
import { changeProduct } from './changes.ts';
import { differing, fieldsOf, productForm, productFormOf } from './form.ts';
import { stockChanges } from './stock-changes.ts';

/** One product: its fields, its stock with what has changed it, and whether customers see it. */
export const productView = (context) => {
  const { api, params, signal, update, notify } = context;
  const view = { title: 'Product', template: undefined };
  // The fields begin with `initial`. What another person changes meanwhile is noticed by `known` when they are saved.
  const form = { initial: undefined, known: undefined, isSaving: false, error: undefined };
  const loading = load(context, async () => {
    const { data } = await api.send('GET /products/{id}', { path: { id: params.id }, signal });
    view.title = data.name;
    if (form.initial === undefined) Object.assign(form, { initial: data, known: data });
    return data;
  });
  const changes = stockChanges(context, params.id);
  const editable = inlineEdits(context);
  const reload = () => {
    loading.reload();
    changes.reload();
  };
  onEvents(
    context,
    { type: 'product.*' },
    (events) => events.some(({ subject }) => subject.id === params.id) && reload(),
  );

  const replace = (product) => {
    const isStockNew = loading.value.stock !== product.stock;
    view.title = product.name;
    loading.replace(product);
    if (isStockNew) changes.reload();
  };

  const save = async (event) => {
    event.preventDefault();
    if (form.isSaving) return;
    Object.assign(form, { isSaving: true, error: undefined });
    update();
    try {
      const body = differing(fieldsOf(event.target), form.initial);
      const saved = await changeProduct(context, form.known, body);
      Object.assign(form, { initial: saved, known: saved, isSaving: false });
      replace(saved);
      notify('Saved.');
    } catch (error) {
      if (error instanceof ChangedMeanwhileError) form.known = error.resource;
      Object.assign(form, { isSaving: false, error });
      update();
    }
  };

  view.hasUnsaved = () => {
    if (editable.hasUnsaved()) return true;
    const typed = productFormOf();
    if (typed === null) return false;
    try {
      return Object.keys(differing(fieldsOf(typed), form.initial)).length > 0;
    } catch {
      // What is not valid is not what was there.
      return true;
    }
  };

  const act = async (action, done) => {
    const changed = await action;
    if (changed === undefined) return;
    replace(changed);
    notify(done);
  };
  const remove = async (product) => {
    if ((await removeProduct(context, product)) === undefined) return;
    view.hasUnsaved = undefined;
    location.hash = '#/products';
    notify(`Deleted: ${product.name}.`);
  };

  const actions = (product) => html`
    <div class="actions">
      ${statusChip(product.status)}
      ${product.status === 'active' ? nothing : html`<button type="button" class="primary" @click=${() => act(changeStatus(context, product, 'active'), 'Customers can order it now.')}>Activate</button>`}
      ${product.status === 'archived' ? nothing : html`<button type="button" @click=${() => act(changeStatus(context, product, 'archived'), 'It is archived.')}>Archive</button>`}
      <button type="button" class="danger" @click=${() => remove(product)}>Delete</button>
    </div>
  `;

  const stockCard = (product) => html`
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
          <div>${productForm({ product: form.initial, state: form, submit: save, confirm: 'Save' })}</div>
          <div>${stockCard(product)} ${detailsCard(product)}</div>
        </div>
      `,
    );
  return view;
};

const detailsCard = ({ id, tags, metadata, created_at: createdAt, updated_at: updatedAt }) => html`
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
