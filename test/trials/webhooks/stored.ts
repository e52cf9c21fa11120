import type { ObservedDatabase } from '../../lab/databases.ts';
import type { Conditions } from '../trial.ts';

export type Kind = NonNullable<Conditions['kind']>;

export interface Stored {
  /** Of orders. */
  readonly events: number;
  readonly deliveries: number;
  /** Of the whole database, in MB. */
  readonly size: number;
}

const sizes = {
  postgres: 'select pg_database_size(current_database()) as size',
  sqlite: 'select page_count * page_size as size from pragma_page_count(), pragma_page_size()',
};

/** Counts what the feed and the webhooks have stored. */
export const countStored = async (database: ObservedDatabase, kind: Kind): Promise<Stored> => ({
  events: await numberOf(database, "select count(*) as events from events where type like 'order.%'"),
  deliveries: await numberOf(database, 'select count(*) as deliveries from webhook_deliveries'),
  size: Math.round((await numberOf(database, sizes[kind])) / 1024 / 1024),
});

/** Counts the deliveries to an endpoint that wait for their first attempt. */
export const countUntried = (database: ObservedDatabase, endpoint: string): Promise<number> =>
  numberOf(
    database,
    `select count(*) as untried from webhook_deliveries
      where endpoint_id = '${endpoint}' and status = 'pending' and attempt_count = 0`,
  );

const numberOf = async ({ query }: ObservedDatabase, text: string): Promise<number> => {
  const [row = {}] = await query(text);
  return Number(Object.values(row)[0]);
};

export const describeStored = ({ events, deliveries, size }: Stored): string =>
  `${events} events, ${deliveries} deliveries, ${size} MB of database`;
