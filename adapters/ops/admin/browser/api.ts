// @ts-nocheck
import { orThrow, PorticoError, portico } from '../client/index.ts';
import { readCaller } from './components/caller.ts';
import { fetchDemoKey } from './session.ts';

export { PorticoError };

/**
 * Opens the public API on this page's own origin.
 * @param key a key, or a function that returns the access token as it is now
 * @param onSignedOut called when the key is no longer valid
 */
export const openApi = (key, onSignedOut) => {
  const client = portico({ url: location.origin, key, totalMilliseconds: 20_000 });
  const send = async (target, request) => {
    try {
      return orThrow(await client.send(target, request));
    } catch (error) {
      if (error instanceof PorticoError && error.status === 401) onSignedOut();
      throw error;
    }
  };
  let caller: unknown;
  return {
    /** @returns the whole success @throws PorticoError */
    send,
    /** Who is signed in, read once. */
    caller: () => {
      caller ??= readCaller(send, key, fetchDemoKey);
      return caller;
    },
    /** The pages of events after now, without end. */
    eventPages: (options) => client.eventPages({ start: 'latest', ...options }),
  };
};
