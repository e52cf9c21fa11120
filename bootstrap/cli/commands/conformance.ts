import { loadExports } from '../../composition/modules/load-adapter.ts';
import { findAdapterModule, moduleFor } from '../../config/adapter-module.ts';
import { oneOf } from '../../config/env-parser.ts';
import { kindNames, kindOf, settingOf } from '../conformance/kinds.ts';
import { command, flag, nonEmpty, required, value } from '../framework/command.ts';
import { exitCodes, UsageError } from '../framework/exit-codes.ts';
import type { Terminal } from '../framework/terminal.ts';

type Kit = typeof import('portico/conformance');

/** A promise of the port, and whether the adapter keeps it. */
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
  description: 'Test an adapter of your own against every promise of its port.',
  details: [
    'The module is one for PERSISTENCE_ADAPTER, PAYMENT_PROVIDER, RATE_LIMITER or AUTHENTICATOR. What it exports says which.',
    'For a store it may also export openEmptyStore: a function that opens a new empty store, which is removed when it is closed. Otherwise openStore must return an empty one each time; one that has products or users is left as it is.',
    'Such a store may say by isKept where another process opens it. Then a process commits, is killed, and another one must find everything.',
    'A payment provider is tested by what openTestProvider returns, and an authenticator by what openTestAuthenticator returns: docs/adapters.md describes them. A module may export them without the adapter.',
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
    kind: value('KIND', {
      description: `What to test, where the module exports several kinds: ${kindNames.join(', ')}.`,
      expects: kindNames.join(', '),
      parse: oneOf(kindNames),
    }),
    json: flag('Print the result as JSON.'),
  },
  run: async ({ module: name, only, kind: chosen, json }, terminal) => {
    const found = findAdapterModule(settingOf(chosen), name);
    const exported = await loadExports(found);
    const kind = kindOf(found, exported, chosen);
    const module = moduleFor(found, kind.setting);
    const kit = await loadKit();
    const { suites, untested } = await kind.suites(module, exported, kit);
    const isWanted = (suite: string, promise: string): boolean =>
      only === undefined || `${suite}: ${promise}`.toLowerCase().includes(only.toLowerCase());
    const verdicts: Verdict[] = [];
    for (const { describe, sentence } of suites) {
      await kit.runSuites((runner) => describe(module.file, runner), {
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
    if (json)
      await terminal.print(
        `${JSON.stringify({ kind: kind.name, ...counts, untested, promises: verdicts })}\n`,
      );
    else await terminal.print(renderSummary(counts, kind.name, untested));
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

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const renderVerdict = (verdict: Verdict, before: Verdict | undefined, { colours }: Terminal): string => {
  const { suite, promise, sentence, isKept, error = '' } = verdict;
  const heading = before?.suite === suite ? '' : `\n${suite}\n${colours.dim(`"${sentence}"`)}\n`;
  if (isKept) return `${heading}  ${colours.success('kept')}    ${promise}\n`;
  return `${heading}  ${colours.error('BROKEN')}  ${promise}\n          ${colours.error(error.replaceAll('\n', `\n${' '.repeat(10)}`))}\n`;
};

const renderSummary = (
  { passed, failed }: { readonly passed: number; readonly failed: number },
  kind: string,
  untested: readonly string[],
): string => {
  const left =
    untested.length === 0 ? '' : `Not tested, because the ${kind} has none: ${untested.join(', ')}.\n`;
  return `\n${left}${passed} kept, ${failed} broken\n`;
};
