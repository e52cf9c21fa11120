import { keep, kept } from './kept.ts';

/** The demonstration's keys, by role. */
type Keys = Readonly<Record<string, string>>;

interface KeptCaller {
  readonly name?: string;
  readonly ownKey?: string;
}

export interface Caller {
  /** What can be chosen; only `own` where there is no demonstration. */
  readonly names: () => readonly string[];
  readonly name: () => string;
  /** '' while the reader has given none. */
  readonly key: () => string;
  readonly ownKey: () => string;
  /** A key of the demonstration to explore with; undefined where there is none. */
  readonly demoKey: () => string | undefined;
  readonly choose: (name: string) => void;
  readonly setOwnKey: (key: string) => void;
  /** After a restart the server has other keys for this page, and rejects the ones that were read before. */
  readonly renew: () => Promise<void>;
  readonly subscribe: (listener: () => void) => void;
}

/**
 * Holds the API key that requests are sent with: one of the demonstration, or the reader's own. Keys are in no URL, and in no
 * storage that outlives the tab.
 * @param fetchKeys reads the demonstration's keys, by role; none where this server offers none
 */
export const createCaller = async (fetchKeys: () => Promise<Keys>): Promise<Caller> => {
  const listeners = new Set<() => void>();
  const { name, ownKey = '' }: KeptCaller = kept('caller') ?? {};
  let keys = await fetchKeys();
  let own = ownKey;
  let chosen = name;

  const notify = () => {
    keep('caller', { name: chosen, ownKey: own });
    for (const listener of listeners) listener();
  };
  const caller: Caller = {
    names: () => [...Object.keys(keys), 'own'],
    name: () => caller.names().find((each) => each === chosen) ?? caller.names()[0] ?? 'own',
    key: () => (caller.name() === 'own' ? own : (keys[caller.name()] ?? '')),
    ownKey: () => own,
    demoKey: () => Object.values(keys)[0],
    choose: (other) => {
      chosen = other;
      notify();
    },
    setOwnKey: (key) => {
      own = key.trim();
      notify();
    },
    renew: async () => {
      keys = { ...keys, ...(await fetchKeys()) };
      notify();
    },
    subscribe: (listener) => listeners.add(listener),
  };
  return caller;
};
