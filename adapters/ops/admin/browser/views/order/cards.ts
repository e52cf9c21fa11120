import { statusChip } from '../../components/chips.ts';
import { countryName, formatMoney, formatTime, toWords } from '../../format.ts';
import { html, nothing, type TemplateResult } from '../../lit.ts';
import type { Order, OrderItem, Payment, Refund } from '../../resources.ts';
import { hrefOf } from '../../router.ts';
import type { Content } from '../../view.ts';
import { isOffline } from './refunds.ts';

/** The payment is authorized and not captured yet. The order cannot be canceled until it is. */
export const isAuthorized = ({ status }: Payment): boolean => status === 'authorized';

/** @param skus the article number of each product that has one */
export const itemsCard = (
  {
    expanded: { items = [] } = {},
    item_count: count,
    items_total: sum,
    shipping,
    discount,
    taxes,
    total,
  }: Order,
  skus: ReadonlyMap<string, string>,
): TemplateResult => html`
  <section class="card">
    <h2>Items</h2>
    <table class="list plain">
      <caption class="hidden">Items of the order</caption>
      <thead><tr><th scope="col">Product</th><th scope="col" class="number">Price</th><th scope="col" class="number">Quantity</th><th scope="col" class="number">Total</th></tr></thead>
      <tbody>
        ${items.map(
          (item) => html`<tr>
            <th scope="row">${item.product_name}${skus.has(item.product_id) ? html`<small class="sku">${skus.get(item.product_id)}</small>` : nothing}</th>
            <td data-label="Price" class="number">${formatMoney(item.unit_price)}</td>
            <td data-label="Quantity" class="number">${item.quantity}</td>
            <td data-label="Total" class="number">${formatMoney(item.total)}</td>
          </tr>`,
        )}
      </tbody>
    </table>
    ${restOfItems(items, count)}
    <dl class="sums">
      <dt>Items</dt><dd>${formatMoney(sum)}</dd>
      ${shipping.amount > 0 ? html`<dt>Shipping</dt><dd>${formatMoney(shipping)}</dd>` : nothing}
      ${discount.amount > 0 ? html`<dt>Discount</dt><dd>−${formatMoney(discount)}</dd>` : nothing}
      <dt class="total">Total</dt><dd class="total">${formatMoney(total)}</dd>
      ${taxes.map(({ rate, tax }) => html`<dt class="soft">of it ${rate} % tax</dt><dd class="soft">${formatMoney(tax)}</dd>`)}
    </dl>
  </section>
`;

/** The API expands at most 100 items. */
export const restOfItems = (items: readonly OrderItem[], count: number): Content =>
  count > items.length
    ? html`<p class="soft">These are the first ${items.length} of ${count} items.</p>`
    : nothing;

export const customerCard = ({
  expanded: { user } = {},
  shipping_address: to,
  billing_address: bill,
}: Order): TemplateResult => html`
  <section class="card">
    <h2>Customer</h2>
    ${user ? html`<p><a href=${hrefOf(`/customers/${user.id}`)}>${user.name}</a><br />${user.email}</p>` : html`<p>—</p>`}
    <h3>Shipping address</h3>
    ${address(to)}
    ${bill ? html`<h3>Billing address</h3>${address(bill)}` : nothing}
  </section>
`;

export const address = (value: Order['shipping_address']): TemplateResult => {
  if (value === null) return html`<p class="soft">None</p>`;
  const { name, company, line1, line2, postal_code: code, city, region, country, phone } = value;
  const lines = [
    name,
    company,
    line1,
    line2,
    [code, city].filter(Boolean).join(' '),
    region,
    countryName(country),
    phone,
  ];
  return html`<address>${lines.filter(Boolean).map((line) => html`<span>${line}</span>`)}</address>`;
};

export const paymentsCard = (
  { expanded: { payments = [] } = {} }: Order,
  refunds: readonly Refund[],
): TemplateResult => html`
  <section class="card">
    <h2>Payments</h2>
    ${payments.length === 0 ? html`<p class="soft">None yet</p>` : nothing}
    ${payments.map(
      (payment) => html`<div class="entry">
        <p><b>${formatMoney(payment.amount)}</b> ${statusChip(payment.status)}</p>
        <p class="soft">${wayOf(payment)} · ${formatTime(payment.succeeded_at ?? payment.created_at)}</p>
        ${isAuthorized(payment) ? html`<p>Reserved, not taken yet${payment.capture_before ? `: take it before ${formatTime(payment.capture_before)}` : ''}</p>` : nothing}
        ${isPartlyCaptured(payment) ? html`<p>Taken: <b>${formatMoney(payment.captured)}</b></p>` : nothing}
        ${payment.failure ? html`<p class="bad">${payment.failure.message ?? payment.failure.code}</p>` : nothing}
        ${refunds
          .filter(({ payment_id: id }) => id === payment.id)
          .map((refund) => refundEntry(refund, payment))}
      </div>`,
    )}
  </section>
`;

/** How a payment reached the shop. */
const wayOf = (payment: Payment): string => {
  if (isOffline(payment)) return 'Paid to you directly';
  return payment.provider === 'sandbox' ? 'Test payment, no money moved' : toWords(payment.provider);
};

const refundEntry = (
  { amount, status, reason, failure, created_at: begun, succeeded_at: ended }: Refund,
  payment: Payment,
) => html`
  <p>
    Refund <b>${formatMoney(amount)}</b> ${statusChip(status, isOffline(payment) ? 'Recorded' : undefined)}
    <br /><span class="soft">${formatTime(ended ?? begun)}${reason ? ` · ${reason}` : nothing}</span>
    ${isOffline(payment) ? html`<br />You pay this back yourself.` : nothing}
    ${failure ? html`<br /><span class="bad">${failure.message ?? failure.code}</span>` : nothing}
  </p>
`;

const isPartlyCaptured = ({ amount, captured }: Payment): boolean =>
  captured.amount > 0 && captured.amount < amount.amount;

export const detailsCard = ({
  id,
  note,
  external_id: externalId,
  metadata,
  created_at: at,
  paid_at: paidAt,
}: Order): TemplateResult => html`
  <section class="card">
    <h2>Details</h2>
    <dl class="facts">
      <dt>Placed</dt><dd>${formatTime(at)}</dd>
      ${paidAt ? html`<dt>Paid</dt><dd>${formatTime(paidAt)}</dd>` : nothing}
      ${note ? html`<dt>Note</dt><dd>${note}</dd>` : nothing}
      ${externalId ? html`<dt>Number in another system</dt><dd>${externalId}</dd>` : nothing}
      ${Object.entries(metadata).map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}
      <dt>Id</dt><dd class="id">${id}</dd>
    </dl>
  </section>
`;
