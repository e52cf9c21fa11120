import { formatMoney } from '../../format.ts';
import type { Money } from '../../resources.ts';

/** The lines of a history, the newest first, from the events of an order. What another line shows already is left out. */
export const linesOf = (events: readonly ShownEvent[]): readonly Line[] =>
  events
    .filter((event) => !isShownElsewhere(event, events))
    .flatMap((event) => {
      const text = textOf(event);
      return text === undefined ? [] : [{ event, text }];
    })
    .toReversed();

/** What of an event the history shows. */
export interface ShownEvent {
  readonly type: string;
  readonly timestamp: string;
  readonly cause: { readonly kind: string };
  readonly data: EventData | null;
  readonly changed: readonly string[];
}

/** What of the resources in events it shows. */
interface EventData {
  readonly id?: string;
  readonly amount?: Money;
  readonly captured?: Money;
  readonly reason?: string | null;
  readonly status?: string;
  readonly failure?: { readonly message?: string | null } | null;
}

export interface Line {
  readonly event: ShownEvent;
  readonly text: string;
}

const isShownElsewhere = ({ type, data }: ShownEvent, events: readonly ShownEvent[]): boolean => {
  if (type === 'order.paid') return events.some((other) => other.type === 'payment.succeeded');
  if (type === 'refund.pending')
    return events.some(
      ({ type: other, data: of }) => isSettled(other) && of?.id !== undefined && of.id === data?.id,
    );
  return false;
};

const isSettled = (type: string): boolean => type === 'refund.succeeded' || type === 'refund.failed';

/** @returns undefined for what a shop owner need not know */
const textOf = ({ type, data, changed }: ShownEvent): string | undefined => {
  const text = texts[type];
  if (typeof text === 'string') return text;
  const amount = (type === 'payment.succeeded' && data?.captured) || data?.amount;
  return text?.(amount ? formatMoney(amount) : 'An amount', data ?? {}, changed);
};

/** Behind what it is the reason of. */
const because = (reason: string | null | undefined): string => (reason ? `: ${reason}` : '');

type WriteText = (money: string, data: EventData, changed: readonly string[]) => string | undefined;

const texts: Readonly<Record<string, string | WriteText>> = {
  'order.created': 'Order placed',
  'order.updated': (_, __, changed) => changesOf(changed),
  'order.paid': 'Paid',
  'order.fulfilled': 'Marked as sent',
  'order.canceled': 'Canceled, and back in stock',
  'order.refunded': 'All the money refunded, and back in stock',
  'payment.requires_action': (money) => `${money} to be confirmed by the customer`,
  'payment.processing': (money) => `${money} is on its way from the customer`,
  'payment.authorized': (money) => `${money} reserved, not taken yet`,
  'payment.succeeded': (money) => `${money} paid`,
  'payment.failed': (money, { failure }) => `${money} not paid${because(failure?.message)}`,
  'payment.canceled': (money) => `Payment of ${money} given up`,
  'refund.pending': (money, { reason }) => `${money} on its way back to the customer${because(reason)}`,
  'refund.succeeded': (money, { reason }) => `${money} refunded${because(reason)}`,
  'refund.failed': (money, { failure }) => `Refund of ${money} failed${because(failure?.message)}`,
  'dispute.created': (money) => `${money} disputed by the customer`,
  'dispute.closed': (money, { status }) => `Dispute over ${money} ${ends[status ?? ''] ?? 'closed'}`,
};

const ends: Readonly<Record<string, string>> = { won: 'won', lost: 'lost' };

const names: Readonly<Record<string, string>> = {
  note: 'note',
  shipping_address: 'shipping address',
  billing_address: 'billing address',
  external_id: 'number in another system',
  metadata: 'own fields',
  shipping: 'shipping costs',
  discount: 'discount',
  items_total: 'items',
};

/** `Note and discount changed`; undefined where only what Portico keeps for itself has changed. */
const changesOf = (changed: readonly string[]): string | undefined => {
  const known = Object.entries(names).flatMap(([name, word]) => (changed.includes(name) ? [word] : []));
  const [first] = known;
  if (first === undefined) return undefined;
  const text = known.length === 1 ? first : `${known.slice(0, -1).join(', ')} and ${known.at(-1)}`;
  return `${text.charAt(0).toUpperCase()}${text.slice(1)} changed`;
};
