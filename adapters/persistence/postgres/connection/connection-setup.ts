import type { ClientBase } from 'pg';

/** The settings that limit time. A lock is given up first, so that it is said what was waited for. */
export const limitsOf = (timeout: number): readonly (readonly [string, number])[] => [
  ['lock_timeout', Math.ceil(timeout * 0.8)],
  ['statement_timeout', timeout],
  ['idle_in_transaction_session_timeout', timeout],
];

/**
 * Tells a connection once what it has to know, whatever the server's own settings are, and finds out whether it leads to
 * the server itself. A pooler such as PgBouncer makes up a process id; in its transaction mode others use the connection in
 * between, so the limits are not left on it.
 * @param timeout of locks, statements and transactions that wait, in milliseconds; 0 is for ever
 * @param patience how long the answer is waited for, in milliseconds; 0 is for ever
 * @returns whether the server itself answers
 */
export const agree = async (client: ClientBase, timeout: number, patience: number): Promise<boolean> => {
  // The driver knows it, and its types do not.
  const { processID } = client as ClientBase & { readonly processID: number | null };
  const others = 'pg_backend_pid() is distinct from $1::integer';
  const limits = limitsOf(timeout).map(([name, limit]) => `set_config('${name}', '${limit}', ${others})`);
  // A statement that is prepared while a table is small would go on reading all of it when it has grown.
  limits.push(`set_config('enable_seqscan', 'off', ${others})`);
  // These two poolers keep for us.
  const kept = [`set_config('TimeZone', 'UTC', false)`, `set_config('DateStyle', 'ISO', false)`];
  const text = `select ${others} as among_others, ${[...kept, ...limits].join(', ')}`;
  const timed = { text, values: [processID], query_timeout: patience };
  const { rows } = await client.query<{ among_others: boolean }>(timed);
  return rows[0]?.among_others === false;
};
