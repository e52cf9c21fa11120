import type { ObservedDatabase } from '../../databases.ts';
import type { EndpointEvidence } from './evidence.ts';

type Stored = Pick<EndpointEvidence, 'position' | 'deliveries'>;

/** Reads from the database what was enqueued for an endpoint, and up to where. @returns it by the id of the endpoint */
export const readEndpoints = async ({
  query,
}: Pick<ObservedDatabase, 'query'>): Promise<(id: string) => Stored> => {
  const rows = await query('select endpoint_id, event_id, status from webhook_deliveries');
  const deliveries = Map.groupBy(rows, (row) => String(row['endpoint_id']));
  const progress = await query('select id, position from webhook_progress');
  const positions = new Map(progress.map((row) => [String(row['id']), Number(row['position'])]));
  return (id) => ({
    position: positions.get(id) ?? -1,
    deliveries: (deliveries.get(id) ?? []).map((row) => ({
      ...{ eventId: String(row['event_id']), status: String(row['status']) },
    })),
  });
};
