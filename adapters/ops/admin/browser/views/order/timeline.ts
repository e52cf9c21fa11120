import { formatTime } from '../../format.ts';
import { html, nothing, type TemplateResult } from '../../lit.ts';
import { type Line, linesOf, type ShownEvent } from './order-history.ts';

const causes: Readonly<Record<string, string>> = {
  housekeeping: 'by Portico',
  provider: 'by the payment provider',
  command: 'on the command line',
};

/** What has happened to an order, from its events, the newest first. */
export const timeline = (events: readonly ShownEvent[]): TemplateResult =>
  events.length === 0
    ? html`<p class="soft">Nothing is kept of it.</p>`
    : html`<ol class="timeline">${linesOf(events).map(entry)}</ol>`;

const entry = ({ text, event: { timestamp, cause } }: Line) => html`
  <li>
    <p>${text}</p>
    <p class="soft">
      <time datetime=${timestamp}>${formatTime(timestamp)}</time>${causes[cause.kind] ? ` · ${causes[cause.kind]}` : nothing}
    </p>
  </li>
`;
