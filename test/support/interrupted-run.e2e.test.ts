import { chmodSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { expect } from 'chai';
import { isFree } from '../bootstrap/support/ports.ts';
import { Program, root } from '../lab/program.ts';
import { temporaryFolder } from './temporary.ts';
import { until } from './until.ts';

/** What `endless-tests.ts` has started, and must be gone when its run has ended. */
interface Started {
  readonly urls: readonly string[];
  readonly folders: readonly string[];
}

const { PATH } = process.env;

describe('A run of tests that is interrupted', () => {
  const place = temporaryFolder();
  let run: Program | undefined;
  afterEach(() => run?.kill());

  /** Starts a run, and waits until its servers serve. */
  const start = async (name: string, words: readonly string[]): Promise<Started> => {
    mkdirSync(place(name));
    // PostgreSQL does not run as root, and the other user must reach its folder.
    for (const folder of [place(), place(name)]) chmodSync(folder, 0o755);
    const report = place(name, 'started.json');
    run = new Program('node_modules/mocha/bin/mocha.js', {
      environment: { PATH, TMPDIR: place(name), STARTED_FILE: report },
      folder: root,
      words: [...words, 'test/support/endless-tests.ts'],
    });
    await until(
      async () => `${existsSync(report)} ${run?.isOver} ${run?.output}${run?.errors}`,
      (state) => !state.startsWith('false false'),
      120_000,
    );
    return JSON.parse(readFileSync(report, 'utf8'));
  };

  for (const [signal, words] of [
    ['SIGTERM', []],
    // Mocha has a handler of its own for this one.
    ['SIGINT', ['--parallel', '--jobs', '2']],
  ] as const)
    it(`by ${signal} stops its servers and removes their folders: ${['mocha', ...words].join(' ')}`, async () => {
      const { urls, folders } = await start(signal, words);
      expect(urls.length + folders.length).to.be.at.least(5);
      run?.signal(signal);
      expect(await run?.ended()).to.equal(128 + constants.signals[signal]);
      // The workers end a moment later than the process that has started them.
      const left = async (): Promise<readonly string[]> => [
        ...(await Promise.all(urls.map(async (url) => ((await isServed(url)) ? [url] : [])))).flat(),
        ...folders.filter((folder) => existsSync(folder)),
      ];
      await until(left, ({ length }) => length === 0);
    });
});

const isServed = async (url: string): Promise<boolean> => !(await isFree(Number(new URL(url).port)));
