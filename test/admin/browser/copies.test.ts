import { expect } from 'chai';
import { joinCopies } from '#adapters/ops/admin/browser/login/copies.ts';
import type { Json } from '../../http/support/client.ts';

type Listener = (message: { readonly data: Json }) => void;

/** Opens channels that receive each other's messages, as those of tabs do. */
const openChannels = () => {
  const listeners = new Map<object, Listener>();
  return () => {
    const channel = {
      addEventListener: (_: string, listener: Listener) => listeners.set(channel, listener),
      postMessage: (data: Json) => {
        for (const [other, listener] of listeners)
          if (other !== channel) queueMicrotask(() => listener({ data: structuredClone(data) }));
      },
    };
    return channel;
  };
};

/** One after the other under each name. */
const createLocks = () => {
  const ends = new Map<string, Promise<unknown>>();
  return {
    request: <T>(name: string, _: object, work: () => Promise<T>): Promise<T> => {
      const turn = (ends.get(name) ?? Promise.resolve()).then(work);
      ends.set(name, turn);
      return turn;
    },
  };
};

/** Lets messages that are under way arrive. */
const wait = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
};

describe('A sign-in that several tabs have', () => {
  const first = { id: 'sign-in', generation: 1 };
  let [openChannel, locks] = [openChannels(), createLocks()];
  let used: number[] = [];

  beforeEach(() => {
    [openChannel, locks, used] = [openChannels(), createLocks(), []];
  });

  /** A tab whose `renew` uses up the token of its login, unless that is newer than the one it began with. */
  const openTab = async (login: Json = first, ways: object = {}): Promise<Json> => {
    const tab: Json = { login };
    const current = () => tab.login;
    const replace = (newer: Json) => {
      tab.login = newer;
    };
    const copies = joinCopies({ current, replace, channel: openChannel(), locks, wait, ...ways });
    tab.renew = () => {
      const begun = tab.login.generation;
      return copies.inTurn(async () => {
        if (tab.login.generation > begun) return;
        used.push(begun);
        await wait();
        tab.login = { ...tab.login, generation: begun + 1 };
        copies.publish();
      });
    };
    return tab;
  };

  it('is renewed once, when all of them need it at the same time', async () => {
    const tabs = await Promise.all([openTab(), openTab(), openTab()]);
    await Promise.all(tabs.map((tab) => tab.renew()));
    expect(used).to.deep.equal([1]);
    await Promise.all(tabs.map((tab) => tab.renew()));
    expect(used).to.deep.equal([1, 2]);
    expect(tabs.map(({ login }) => login.generation)).to.deep.equal([3, 3, 3]);
  });

  it('is told to a tab that has the login of before, as one that was closed and is opened again', async () => {
    const tab = await openTab();
    await tab.renew();
    const opened = await openTab();
    await opened.renew();
    expect(used).to.deep.equal([1]);
    expect(opened.login).to.deep.equal(tab.login);
  });

  it('is no matter of a tab with another sign-in, nor of one that is signed out', async () => {
    const other = await openTab({ id: 'other', generation: 7 });
    const [tab, out] = await Promise.all([openTab(), openTab()]);
    out.login = undefined;
    await tab.renew();
    await wait();
    expect(used).to.deep.equal([1]);
    expect([other.login.generation, out.login]).to.deep.equal([7, undefined]);
  });

  it('is renewed by each alone where the browser allows no channel and no locks', async () => {
    const tab = await openTab(first, { channel: undefined, locks: undefined });
    await tab.renew();
    expect(tab.login.generation).to.equal(2);
  });
});
