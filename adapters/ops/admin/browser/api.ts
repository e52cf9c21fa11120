import { type EventsOptions, type FeedPage, orThrow, PorticoError, portico } from '../client/index.ts';
import { type Caller, readCaller } from './components/caller.ts';
import type { Credential, Send } from './resources.ts';
import { fetchDemoKey } from './session.ts';

export { PorticoError };

/** The public API on this page's own origin. */
export interface Api {
  readonly send: Send;
  /** Who is signed in, read once. */
  readonly caller: () => Promise<Caller>;
  /** The pages of events after now, without end. */
  readonly eventPages: (options: EventsOptions) => AsyncIterable<FeedPage>;
}

/**
 * Opens the public API on this page's own origin.
 * @param onSignedOut called when the key is no longer valid
 */
export const openApi = (key: Credential, onSignedOut: () => void): Api => {
  const client = portico({ url: location.origin, key, totalMilliseconds: 20_000 });
  const send: Send = async (target, ...request) => {
    try {
      return orThrow(await client.send(target, ...request));
    } catch (error) {
      if (error instanceof PorticoError && error.status === 401) onSignedOut();
      throw error;
    }
  };
  let caller: Promise<Caller> | undefined;
  return {
    send,
    caller: () => {
      caller ??= readCaller(send, key, fetchDemoKey);
      return caller;
    },
    eventPages: (options) => client.eventPages({ start: 'latest', ...options }),
  };
};
