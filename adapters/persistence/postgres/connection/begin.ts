import { limitsOf } from './connection-setup.ts';

/** What a transaction begins with on a connection of one's own. */
export const begin = 'begin isolation level read committed';

/** Where others use the connection in between, it brings its settings along. @param timeout as the connection's own */
export const beginAmongOthers = (timeout: number): string => {
  const limits = limitsOf(timeout).map(([name, limit]) => `set local ${name} = ${limit}`);
  return [begin, "set local TimeZone = 'UTC'", "set local DateStyle = 'ISO'", ...limits].join('; ');
};
