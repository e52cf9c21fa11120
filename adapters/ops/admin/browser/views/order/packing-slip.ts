import { formatQuantity, formatTime } from '../../format.ts';
import { html, type TemplateResult } from '../../lit.ts';
import type { Order } from '../../resources.ts';
import type { Context } from '../../view.ts';
import { address, restOfItems } from './cards.ts';

/** Prints the packing slip, which is in the page only meanwhile: what is printed by the browser's own menu is the page. */
export const slipPrinter = ({ signal, update }: Context) => {
  let isPrinting = false;
  const end = () => {
    isPrinting = false;
    update();
  };
  addEventListener('afterprint', end, { signal });
  return {
    isPrinting: () => isPrinting,
    print: () => {
      isPrinting = true;
      update();
      setTimeout(() => window.print());
    },
  };
};

/** What goes into the parcel: no prices, and no note, which may be for the shop alone. */
export const packingSlip = (order: Order, skus: ReadonlyMap<string, string>): TemplateResult => html`
  <section class="slip" aria-hidden="true">
    <h2>Packing slip</h2>
    <p>Order <b>${order.number}</b><br />${formatTime(order.created_at)}</p>
    ${address(order.shipping_address)}
    <table>
      <thead><tr><th>Product</th><th>Article number (SKU)</th><th class="number">Quantity</th></tr></thead>
      <tbody>
        ${(order.expanded?.items ?? []).map(
          ({ product_id: id, product_name: name, quantity }) =>
            html`<tr><td>${name}</td><td>${skus.get(id) ?? '—'}</td><td class="number">${formatQuantity(quantity)}</td></tr>`,
        )}
      </tbody>
    </table>
    ${restOfItems(order.expanded?.items ?? [], order.item_count)}
  </section>
`;
