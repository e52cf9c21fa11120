import { openSqlite } from '#adapters/persistence/sqlite/open.ts';
import type { QuotaStore } from '#adapters/support/quota-store.ts';
import { folderForFile, migratedFile } from '../../support/sqlite.ts';
import type { OpenShared } from '../quotas.ts';
import { withMethods } from './wrapping.ts';

/** Wrong quotas, with the promises by whose names they must fail. */
type WrongQuotas = readonly [fault: string, open: OpenShared, ...promises: [string, ...string[]]];

const wrongly =
  (wrap: (right: QuotaStore, limit: number) => Partial<QuotaStore>): OpenShared =>
  async () => {
    const { file, remove } = await folderForFile();
    const store = await openSqlite({ file: await migratedFile(file) });
    return {
      ...store,
      quotas: (limiting) => {
        const right = store.quotas?.(limiting);
        if (right === undefined) throw new Error('A file can be shared.');
        return withMethods(right, wrap(right, limiting.limit));
      },
      close: async () => {
        await store.close();
        await remove();
      },
    };
  };

export const wrongQuotas: readonly WrongQuotas[] = [
  [
    'grant what was asked for',
    wrongly((right) => ({
      lease: async (requests) => {
        const states = await right.lease(requests);
        return states.map((state) => ({
          ...state,
          granted: requests.find(({ key }) => key === state.key)?.count ?? 0,
        }));
      },
    })),
    'are leased up to the limit, and no further',
    'never exceed the limit while twenty processes lease and return several keys concurrently',
  ],
  [
    'grant all or nothing',
    wrongly((right, limit) => ({
      lease: async (requests) =>
        right.lease(
          await Promise.all(
            requests.map(async ({ key, count }) => {
              const [state] = await right.read([key]);
              return { key, count: (state?.unleased ?? limit) < count ? 0 : count };
            }),
          ),
        ),
    })),
    'are leased up to the limit, and no further',
  ],
  [
    'ignore that a limit was raised',
    wrongly((right, limit) => ({
      lease: (requests) =>
        right.lease(requests.map(({ key, count }) => ({ key, count: limit > 10 ? 0 : count }))),
    })),
    'are leased up to a limit that was raised',
  ],
  [
    'lease the first of several keys',
    wrongly((right) => ({ lease: (requests) => right.lease(requests.slice(0, 1)) })),
    'are leased for many keys at once',
  ],
  [
    'keep what is returned',
    wrongly(() => ({ returnBlocks: async () => [] })),
    'can be returned, and leased to another process',
  ],
  [
    'take back blocks of any window',
    wrongly((right) => ({
      returnBlocks: async (blocks) => {
        const windows = await right.read(blocks.map(({ key }) => key));
        return right.returnBlocks(
          blocks.map((block) => ({
            ...block,
            resetAt: windows.find(({ key }) => key === block.key)?.resetAt ?? block.resetAt,
          })),
        );
      },
    })),
    'are returned to their own window only',
  ],
  [
    'lease when they are only read',
    wrongly((right) => ({
      read: async (keys) => {
        await right.lease(keys.map((key) => ({ key, count: 1 })));
        return right.read(keys);
      },
    })),
    'can be read without a change',
  ],
];
