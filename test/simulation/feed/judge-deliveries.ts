import type { StoreUnitOfWork } from '#application/ports/unit-of-work.ts';
import { WebhookEndpoint, type WebhookEndpointId } from '#domain/webhooks/endpoint.ts';
import type { SimulatedReceiver } from './receiver.ts';

/** What receivers have got, compared with the feed, when there was time enough. @returns the contradictions */
export const judgeDeliveries = (
  store: StoreUnitOfWork,
  endpoints: readonly WebhookEndpoint[],
  receivers: ReadonlyMap<WebhookEndpointId, SimulatedReceiver>,
): Promise<readonly string[]> =>
  store.read(async ({ events, webhookDeliveries, webhookProgress }) => {
    const { rows: feed } = await events.page({}, { after: 0, limit: 10_000 });
    const problems: string[] = [];
    for (const endpoint of endpoints) {
      const { id, ordering } = endpoint;
      const types = WebhookEndpoint.typesOf(endpoint);
      const wanted = feed.filter(({ type }) => types?.includes(type) ?? true);
      const accepted = receivers.get(id)?.accepted ?? [];
      const { rows: made } = await webhookDeliveries.page({ endpointId: id }, { limit: 10_000 });
      const name = `The ${ordering} endpoint`;

      for (const { id: eventId, sequence } of wanted) {
        const count = made.filter((one) => one.eventId === eventId).length;
        if (count > 1) problems.push(`${name} was handed the event ${sequence} over ${count} times.`);
        const hasGot = accepted.some((one) => one.sequence === sequence);
        const hasFailed = made.some((one) => one.eventId === eventId && one.status === 'failed');
        if (!hasGot && !hasFailed) problems.push(`${name} has never got the event ${sequence}.`);
      }
      const ids = new Map(wanted.map((event) => [event.sequence, event.id as string]));
      for (const one of accepted)
        if (ids.get(one.sequence) !== one.id)
          problems.push(`${name} has got the event ${one.sequence} under another id.`);

      const firsts = [...new Set(accepted.map(({ sequence }) => sequence))];
      if (ordering === 'sequential' && firsts.some((sequence, index) => sequence !== wanted[index]?.sequence))
        problems.push(`${name} has got the events out of their order: ${firsts}.`);

      const pending = made.filter(({ status }) => status === 'pending').length;
      if (pending > 0) problems.push(`${name} has ${pending} deliveries that are pending for ever.`);
      const progress = await webhookProgress.find(id);
      if (progress?.position !== feed.length)
        problems.push(`${name} is at ${progress?.position} of ${feed.length}.`);
    }
    return problems;
  });
