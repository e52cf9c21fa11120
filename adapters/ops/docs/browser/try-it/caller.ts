// @ts-nocheck
import { keep, kept } from './kept.ts';

/**
 * Holds the API key that requests are sent with: one of the demonstration, or the reader's own. Keys are in no URL, and in no
 * storage that outlives the tab.
 * @param fetchKeys reads the demonstration's keys, by role; none where this server offers none
 */
export const createCaller = async (fetchKeys) => {
  const listeners = new Set();
  const { name, ownKey = '' } = kept('caller') ?? {};
  let keys = await fetchKeys();
  let own = ownKey;
  let chosen = name;

  const notify = () => {
    keep('caller', { name: chosen, ownKey: own });
    for (const listener of listeners) listener();
  };
  const caller = {
    /** What can be chosen; only `own` where there is no demonstration. */
    names: () => [...Object.keys(keys), 'own'],
    name: () => (caller.names().includes(chosen) ? chosen : caller.names()[0]),
    /** '' while the reader has given none. */
    key: () => (caller.name() === 'own' ? own : keys[caller.name()]),
    ownKey: () => own,
    /** A key of the demonstration to look around with; undefined where there is none. */
    demoKey: () => Object.values(keys)[0],
    choose: (other) => {
      chosen = other;
      notify();
    },
    setOwnKey: (key) => {
      own = key.trim();
      notify();
    },
    /** After a restart the server has other keys for this page, and rejects the ones that were read before. */
    renew: async () => {
      keys = { ...keys, ...(await fetchKeys()) };
      notify();
    },
    subscribe: (listener) => listeners.add(listener),
  };
  return caller;
};
