import type { StoreUnitOfWork } from '#application/ports/unit-of-work.ts';
import { WebhookEndpoint, type WebhookEndpointId } from '#domain/webhooks/endpoint.ts';
import { judgeEndpoints } from '../../lab/judge/events/all.ts';
import { violationKinds } from '../../lab/violations.ts';
import type { SimulatedReceiver } from './receiver.ts';

/** What receivers have got, compared with the feed by the laboratory's judge, when there was time enough. @returns the contradictions */
export const judgeDeliveries = (
  store: StoreUnitOfWork,
  endpoints: readonly WebhookEndpoint[],
  receivers: ReadonlyMap<WebhookEndpointId, SimulatedReceiver>,
): Promise<readonly string[]> =>
  store.read(async ({ events: feed, webhookDeliveries, endpointPositions }) => {
    const { rows: events } = await feed.page({}, { after: 0, limit: 10_000 });
    const evidence = endpoints.map(async (endpoint) => {
      const { id, ordering } = endpoint;
      const { rows: deliveries } = await webhookDeliveries.page({ endpointId: id }, { limit: 10_000 });
      const types = WebhookEndpoint.typesOf(endpoint) ?? events.map(({ type }) => type);
      const position = (await endpointPositions.find(id))?.position ?? -1;
      const accepted = receivers.get(id)?.accepted ?? [];
      return {
        ...{ name: `The ${ordering} endpoint`, ordering, types, position, deliveries },
        // At the end its receiver works, and time is no matter.
        ...{ works: true, begin: 0, lagMs: 0 },
        receipts: accepted.map((receipt) => ({ ...receipt, problem: null, status: 204 })),
      };
    });
    const violations = judgeEndpoints({ events, endpoints: await Promise.all(evidence) });
    return violations.map(({ kind, detail }) => `${violationKinds[kind]}: ${detail}`);
  });
