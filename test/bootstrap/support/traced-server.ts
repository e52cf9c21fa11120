import { expect } from 'chai';
import { closedLoad } from '../../lab/load/load.ts';
import { requestBytes } from '../../lab/load/request.ts';
import { Tally } from '../../lab/load/tally.ts';
import { startServer } from './server.ts';

/**
 * Starts a server whose V8 prints each decision to allocate the objects of one place in the old generation.
 * @param flags of Node
 */
export const startTraced = async (flags: readonly string[]) => {
  const { program, client } = await startServer(
    { DATABASE_URL: 'memory:' },
    { flags: [...flags, '--trace-pretenuring-statistics'] },
  );
  const decisions = (): number => program.output.split('pretenuring: AllocationSite').length - 1;

  /** Sends so many requests over eight connections, and expects each to be accepted. */
  const send = async (count: number): Promise<void> => {
    const port = Number(new URL(client.base).port);
    const request = requestBytes('GET', '/v1/products', { Authorization: `Bearer ${client.token}` });
    const tally = new Tally();
    const load = { port, connections: 8, tally, next: () => request };
    await closedLoad({ ...load, requests: count });
    expect(tally.count((status) => status === 200)).to.equal(count);
  };
  return { program, decisions, send };
};
