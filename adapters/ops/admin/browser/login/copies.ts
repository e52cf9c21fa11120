// @ts-nocheck
/* A copy of a tab has the same sign-in, and with it a refresh token that can be used once. So one of them renews it at a time, and tells
   the others, which take what is newer. Tokens go from tab to tab in memory. */

/** How long another tab may take to tell what it has, in milliseconds. */
const answerMs = 250;

/** How long the renewal of another tab is waited for, in milliseconds: longer than the provider may take. */
const turnMs = 20_000;

/**
 * @param current returns the login of this tab: `id`, by which copies know each other, and `generation`, which grows with each renewal;
 * undefined while the tab is signed out
 * @param take gets a newer one of the same sign-in
 * @param channel a BroadcastChannel, and `locks` the LockManager or a promise of it; undefined where the browser has or allows none, and
 * each tab is alone
 * @param wait resolves when no other tab answers any more
 */
export const joinCopies = ({ current, take, channel, locks, wait = waitForAnswer }) => {
  let heard = () => undefined;
  const isOfSameSignIn = (other) => other.id !== undefined && current()?.id === other.id;

  const tell = (login = current()) => channel?.postMessage({ login, id: login.id });

  channel?.addEventListener('message', ({ data: { id, login, generation } }) => {
    if (!isOfSameSignIn({ id })) return;
    if (login === undefined) {
      if (current().generation > generation) tell();
    } else if (login.generation > current().generation) {
      take(login);
      heard();
    }
  });

  /** Asks the other tabs for a newer login. Until it is there, or there is none. */
  const catchUp = async () => {
    if (channel === undefined) return;
    const newer = new Promise((resolve) => {
      heard = resolve;
    });
    const { id, generation } = current();
    channel.postMessage({ id, generation });
    await Promise.race([newer, wait()]);
  };

  return {
    tell,
    /**
     * Runs work while no copy of this tab does, knowing what they have renewed before.
     * @throws DOMException `TimeoutError` when another one does not end
     */
    inTurn: async (work) => {
      const run = async () => {
        if (current() !== undefined) await catchUp();
        return work();
      };
      const turns = await locks;
      if (turns === undefined) return run();
      const signal = AbortSignal.timeout(turnMs);
      return turns.request(`portico-login-${current()?.id}`, { signal }, run);
    },
  };
};

const waitForAnswer = () => new Promise((resolve) => setTimeout(resolve, answerMs));

/** @returns what lets tabs know of each other, where the browser allows it */
export const openChannel = () => {
  try {
    return new BroadcastChannel('portico-login');
  } catch {
    return undefined;
  }
};

/** @returns the browser's locks, where it allows them */
export const openLocks = async () => {
  try {
    await navigator.locks.query();
    return navigator.locks;
  } catch {
    return undefined;
  }
};
