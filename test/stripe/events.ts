import type { Account } from './account.ts';
import { apiVersion } from './credentials.ts';
import { allowOnly, type Form, listIn } from './form.ts';
import type { StripeEvent } from './objects.ts';
import { pageOf, pagingParameters, seconds } from './pages.ts';
import { invalid, missing, ok, type StripeResponse } from './response.ts';

/** Stripe forgets events after 30 days. https://docs.stripe.com/api/events */
const memoryMilliseconds = 30 * 24 * 60 * 60 * 1000;

export const eventView = (event: StripeEvent) => ({
  id: event.id,
  object: 'event',
  api_version: apiVersion,
  created: seconds(event.createdAt),
  data: { object: event.snapshot },
  livemode: false,
  pending_webhooks: event.pending.size,
  request: { id: null, idempotency_key: null },
  type: event.type,
});

export const listEvents = (account: Account, form: Form): StripeResponse => {
  allowOnly(form, 'delivery_success', 'type', 'types', ...pagingParameters);
  const type = form.get('type');
  const types = listIn(form, 'types');
  if (type !== undefined && types !== undefined) {
    throw invalid('types', 'You may pass either `type` or `types`, but not both.', 'parameters_exclusive');
  }
  if (types !== undefined && types.length > 20) throw invalid('types', 'At most 20 types can be given.');
  const wanted = types ?? (type === undefined ? ['*'] : [type]);
  const delivered = form.get('delivery_success');
  const rows = remembered(account).filter(
    (event) =>
      isOfType(event, wanted) && (delivered === undefined || delivered === String(event.pending.size === 0)),
  );
  return ok(pageOf(rows, form, eventView));
};

export const getEvent = (account: Account, _form: Form, id: string): StripeResponse => {
  const event = remembered(account).find((each) => each.id === id);
  if (event === undefined) throw missing('event', id);
  return ok(eventView(event));
};

/** @param types of which each may end with `*` for all that begin alike */
export const isOfType = ({ type }: StripeEvent, types: readonly string[]): boolean =>
  types.some((each) => (each.endsWith('*') ? type.startsWith(each.slice(0, -1)) : type === each));

const remembered = ({ events, clock, eventLagMilliseconds }: Account): readonly StripeEvent[] => {
  const now = clock.now();
  return events.rows.filter(
    ({ createdAt }) => createdAt > now - memoryMilliseconds && createdAt <= now - eventLagMilliseconds,
  );
};
