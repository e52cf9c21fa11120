import { customStoreParts } from '../../composition/custom-store.ts';
import { loadModule, openAdapter } from '../../composition/load-adapter.ts';
import { type AdapterModule, findAdapterModule } from '../../config/adapter-module.ts';
import { command, flag, nonEmpty, required, value } from '../framework/command.ts';
import { exitCodes, UsageError } from '../framework/exit-codes.ts';
import type { Terminal } from '../framework/terminal.ts';

type Kit = typeof import('portico/conformance');
type TestStore = import('portico/conformance').TestStore;

/** A promise of the port, and whether the store keeps it. */
interface Verdict {
  readonly suite: string;
  readonly promise: string;
  readonly sentence: string;
  readonly isKept: boolean;
  /** Why not. */
  readonly error?: string;
}

export const conformance = command({
  name: 'conformance',
  description: 'Test a store of your own against every promise of the port.',
  details: [
    'The module is one for PERSISTENCE_ADAPTER. It may also export openEmptyStore: a function that opens a new empty store, which is removed when it is closed. Otherwise openStore must return an empty one each time; one that has products or users is left as it is.',
    'The exit code is 1 when a promise is broken. The tests need the packages chai and fast-check.',
  ],
  operands: {
    module: required('MODULE', { description: 'A path that begins with ./, or a package.', parse: nonEmpty }),
  },
  options: {
    only: value('NAME', {
      description: 'Test only promises whose name or suite contains this text.',
      parse: nonEmpty,
    }),
    json: flag('Print the result as JSON.'),
  },
  run: async ({ module: name, only, json }, terminal) => {
    const module = findAdapterModule('PERSISTENCE_ADAPTER', name);
    const open = await openerOf(module);
    const { suitesFor, runSuites } = await loadKit();
    const { suites, untested } = await suitesFor(open);
    const isWanted = (suite: string, promise: string): boolean =>
      only === undefined || `${suite}: ${promise}`.toLowerCase().includes(only.toLowerCase());
    const verdicts: Verdict[] = [];
    for (const { describe, sentence } of suites) {
      await runSuites((runner) => describe(module.file, runner), {
        isWanted,
        onOutcome: async ({ suite, promise, error }) => {
          const isKept = error === undefined;
          const verdict = { suite, promise, sentence, isKept, ...(isKept ? {} : { error: reasonOf(error) }) };
          if (!json) await terminal.print(renderVerdict(verdict, verdicts.at(-1), terminal));
          verdicts.push(verdict);
        },
      });
    }
    if (verdicts.length === 0) throw new UsageError(`No promise contains ${only}.`);
    const failed = verdicts.filter(({ isKept }) => !isKept).length;
    const counts = { passed: verdicts.length - failed, failed };
    if (json) await terminal.print(`${JSON.stringify({ ...counts, untested, promises: verdicts })}\n`);
    else await terminal.print(renderSummary(counts, untested));
    return failed === 0 ? exitCodes.success : exitCodes.failure;
  },
});

/** The package's own entry: the suites live beside the tests of Portico's own stores, which no other part imports. */
const loadKit = async (): Promise<Kit> => {
  try {
    return await import('portico/conformance');
  } catch (error) {
    const missing = /'(chai|fast-check)'/.exec((error as Error).message)?.[1];
    if (missing === undefined) throw error;
    throw new UsageError(
      `The tests need the package ${missing}. Run npm install --save-dev chai fast-check.`,
    );
  }
};

const openerOf = async (module: AdapterModule): Promise<() => Promise<TestStore>> => {
  const { openEmptyStore } = await loadModule(module);
  if (typeof openEmptyStore === 'function') {
    const own = { ...module, factory: 'openEmptyStore' };
    return () => openAdapter<TestStore>(own, {}, customStoreParts);
  }
  const { DATABASE_URL: url = '' } = process.env;
  return async () => {
    const store = await openAdapter<TestStore>(module, { url }, customStoreParts);
    await requireEmpty(store, module);
    return store;
  };
};

/** The suites change and remove what they find. @throws UsageError when the store has data */
const requireEmpty = async (store: TestStore, { file }: AdapterModule): Promise<void> => {
  const first = { limit: 1 };
  const { length } = await store.unitOfWork.read(async ({ products, users }) => [
    ...(await users.page({}, first)).rows,
    ...(await products.page({}, first)).rows,
  ]);
  if (length === 0) return;
  await store.close();
  throw new UsageError(
    `The store that ${file} opens is not empty. Export openEmptyStore, which opens a new empty store each time.`,
  );
};

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const renderVerdict = (verdict: Verdict, before: Verdict | undefined, { colours }: Terminal): string => {
  const { suite, promise, sentence, isKept, error = '' } = verdict;
  const heading = before?.suite === suite ? '' : `\n${suite}\n${colours.dim(`"${sentence}"`)}\n`;
  if (isKept) return `${heading}  ${colours.success('kept')}    ${promise}\n`;
  return `${heading}  ${colours.error('BROKEN')}  ${promise}\n          ${colours.error(error)}\n`;
};

const renderSummary = (
  { passed, failed }: { readonly passed: number; readonly failed: number },
  untested: readonly string[],
): string => {
  const left =
    untested.length === 0 ? '' : `Not tested, because the store has none: ${untested.join(', ')}.\n`;
  return `\n${left}${passed} kept, ${failed} broken\n`;
};
