/* A copy of a tab has the same sign-in, and with it a refresh token that can be used once. So one of them renews it at a time, and sends
   the result to the others, which keep what is newer. Tokens go from tab to tab in memory. */

/** What of a login tells copies of a tab apart, and its versions. */
export interface Copied {
  /** By which copies know each other. */
  readonly id: string;
  /** Grows with each renewal. */
  readonly generation: number;
}

/** What a tab sends to the others: its login, or the generation of which it asks for a newer one. */
interface Message<Login> {
  readonly id?: string | undefined;
  readonly login?: Login | undefined;
  readonly generation?: number;
}

interface Channel {
  readonly postMessage: (message: unknown) => void;
  readonly addEventListener: (
    type: 'message',
    listener: (event: Pick<MessageEvent, 'data'>) => void,
  ) => unknown;
}

interface Locks {
  readonly request: <T>(
    name: string,
    options: { readonly signal: AbortSignal },
    work: () => Promise<T>,
  ) => Promise<T>;
}

interface Dependencies<Login extends Copied> {
  /** Returns the login of this tab; undefined while the tab is signed out. */
  readonly current: () => Login | undefined;
  /** Gets a newer one of the same sign-in. */
  readonly replace: (login: Login) => void;
  /** Undefined where the browser has or allows none, and each tab is alone, as for `locks`. */
  readonly channel: Channel | undefined;
  readonly locks: Promise<Locks | undefined> | Locks | undefined;
  /** Resolves when no other tab answers any more. */
  readonly wait?: () => Promise<void>;
}

interface Copies {
  /** Sends the login of this tab to its copies. */
  readonly publish: () => void;
  /**
   * Runs work while no copy of this tab does, knowing what they have renewed before.
   * @throws DOMException `TimeoutError` when another one does not end
   */
  readonly inTurn: <T>(work: () => Promise<T>) => Promise<T>;
}

/** How long another tab may need to send what it has, in milliseconds. */
const answerMs = 250;

/** How long the renewal of another tab is waited for, in milliseconds: longer than the provider may take. */
const turnMs = 20_000;

/** Keeps the copies of a tab in step. */
export const joinCopies = <Login extends Copied>({
  current,
  replace,
  channel,
  locks,
  wait = waitForAnswer,
}: Dependencies<Login>): Copies => {
  let onNewer = (): void => undefined;

  const publish = (): void => {
    const login = current();
    if (login !== undefined) channel?.postMessage({ login, id: login.id });
  };

  channel?.addEventListener('message', ({ data }) => {
    const { id, login, generation = 0 }: Message<Login> = data;
    const own = current();
    if (own === undefined || own.id !== id) return;
    if (login === undefined) {
      if (own.generation > generation) publish();
    } else if (login.generation > own.generation) {
      replace(login);
      onNewer();
    }
  });

  /** Asks the other tabs for a newer login. Until it is there, or there is none. */
  const catchUp = async ({ id, generation }: Copied): Promise<void> => {
    if (channel === undefined) return;
    const newer = new Promise<void>((resolve) => {
      onNewer = resolve;
    });
    channel.postMessage({ id, generation });
    await Promise.race([newer, wait()]);
  };

  return {
    publish,
    inTurn: async (work) => {
      const run = async () => {
        const login = current();
        if (login !== undefined) await catchUp(login);
        return work();
      };
      const turns = await locks;
      if (turns === undefined) return run();
      const signal = AbortSignal.timeout(turnMs);
      return turns.request(`portico-login-${current()?.id}`, { signal }, run);
    },
  };
};

const waitForAnswer = () => new Promise<void>((resolve) => setTimeout(resolve, answerMs));

/** @returns what lets tabs know of each other, where the browser allows it */
export const openChannel = (): BroadcastChannel | undefined => {
  try {
    return new BroadcastChannel('portico-login');
  } catch {
    return undefined;
  }
};

/** @returns the browser's locks, where it allows them */
export const openLocks = async (): Promise<LockManager | undefined> => {
  try {
    await navigator.locks.query();
    return navigator.locks;
  } catch {
    return undefined;
  }
};
