import { toWords } from '../format.ts';
import { html, type TemplateResult } from '../lit.ts';
import type { Order } from '../resources.ts';
import type { Content } from '../view.ts';

const tones: Readonly<Record<string, readonly string[]>> = {
  good: ['paid', 'fulfilled', 'succeeded', 'active', 'enabled', 'won', 'closed', 'completed'],
  waits: [
    'pending',
    'processing',
    'requires_action',
    'authorized',
    'needs_response',
    'under_review',
    'warning',
    'draft',
    'in_progress',
  ],
  bad: ['failed', 'failing', 'canceled', 'disabled', 'lost', 'mismatch', 'suspended', 'archived', 'expired'],
};

/** Statuses that a shop owner knows by another word. */
const words: Readonly<Record<string, string>> = { fulfilled: 'Sent' };

/** The status of a resource, with a colour for what it means. */
export const statusChip = (
  status: string,
  text: Content = words[status] ?? toWords(status),
): TemplateResult => {
  const [tone = 'plain'] = Object.entries(tones).find(([, all]) => all.includes(status)) ?? [];
  return html`<span class="chip ${tone}">${text}</span>`;
};

/** The status of an order: one that is pending waits for its money. */
export const orderChip = (status: Order['status']): TemplateResult =>
  statusChip(status, status === 'pending' ? 'Not paid' : undefined);

/** Links that filter a list by one value, of which one is current. */
export const filterLinks = <Value extends string>(
  label: string,
  choices: readonly (readonly [value: Value | undefined, text: string])[],
  current: string | undefined,
  hrefOf: (value: Value | undefined) => string,
): TemplateResult => html`
  <nav class="filters" aria-label=${label}>
    ${choices.map(([value, text]) => html`<a href=${hrefOf(value)} aria-current=${value === current ? 'true' : 'false'}>${text}</a>`)}
  </nav>
`;
