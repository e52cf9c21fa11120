import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';

const channel = 'net.client.socket';

/**
 * Records each address that this process is about to connect to, and lets a connection reach 127.0.0.1 only: others end before
 * their first packet.
 */
export const watchConnections = (): { readonly attempted: string[]; stop(): void } => {
  const attempted: string[] = [];
  const blockList = {
    check: (address: string): boolean => {
      attempted.push(address);
      return address !== '127.0.0.1';
    },
  };
  const watch = (message: unknown) => {
    const { socket } = message as { readonly socket: Socket };
    // Node checks it at each attempt, after the lookup.
    Object.assign(socket, { blockList });
  };
  subscribe(channel, watch);
  return { attempted, stop: () => unsubscribe(channel, watch) };
};
