import { formatMoney } from '../format.ts';
import { html, nothing, svg, type TemplateResult } from '../lit.ts';
import type { SalesRow } from '../resources.ts';
import { type Sums, sumOf } from './sales.ts';

const width = 640;
const height = 120;
const gap = 4;
const dayFormat = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });

interface Chart {
  readonly days: readonly Date[];
  readonly rows: readonly SalesRow[];
  readonly currency: string;
}

/** What was paid on each day, as bars; the same as a table for those who do not see them. */
export const salesChart = ({ days, rows, currency }: Chart): TemplateResult => {
  const sums = days.map((day, index) => ({ day, ...sumOf(rows, currency, day, days[index + 1]) }));
  const highest = Math.max(1, ...sums.map(({ paid }) => Number(paid.amount)));
  const step = width / days.length;
  const bar = ({ day, paid }: Sums & { readonly day: Date }, index: number) => {
    const size = Math.max(paid.amount > 0 ? 2 : 0, (height * Number(paid.amount)) / highest);
    return svg`<rect class="bar" x=${index * step + gap / 2} y=${height - size} width=${step - gap} height=${size} rx="2"><title>${dayFormat.format(day)}: ${formatMoney(paid)}</title></rect>`;
  };
  return html`
    <figure class="chart">
      <svg viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" aria-hidden="true">${sums.map(bar)}</svg>
      <figcaption aria-hidden="true"><span>${dayFormat.format(days[0])}</span><span>Today</span></figcaption>
      <table class="hidden">
        <caption>What was paid on each day</caption>
        <tbody>
          ${sums.map(({ day, paid, orders }) =>
            orders === 0 && paid.amount === 0n
              ? nothing
              : html`<tr><th scope="row">${dayFormat.format(day)}</th><td>${formatMoney(paid)}</td></tr>`,
          )}
        </tbody>
      </table>
    </figure>
  `;
};
