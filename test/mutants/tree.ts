import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Mutant, Selection } from './list.ts';
import { plant } from './plant.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Neither needed by a test nor small. */
const left = new Set(['.git', 'node_modules', 'data']);

/** A run that takes longer has been stopped: some faults make a test wait for ever. */
const timeoutMs = 90_000;

/** What the tests said. */
export type Verdict =
  | { readonly kind: 'passed'; readonly count: number }
  | { readonly kind: 'failed'; readonly title: string }
  | { readonly kind: 'hung' }
  /** No test ran, so the output tells nothing about the fault. */
  | { readonly kind: 'broken'; readonly output: string };

/** A copy of the repository in a temporary folder, in which one fault at a time is planted. */
export class Tree {
  readonly #folder: string;
  readonly #clean = (): void => rmSync(this.#folder, { recursive: true, force: true });

  private constructor(folder: string) {
    this.#folder = folder;
    process.once('exit', this.#clean);
  }

  static async copy(): Promise<Tree> {
    const folder = await mkdtemp(join(tmpdir(), 'portico-mutants-'));
    const isNeeded = (path: string): boolean => !left.has(relative(root, path).split(sep)[0] ?? '');
    await cp(root, folder, { recursive: true, filter: isNeeded });
    await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
    return new Tree(folder);
  }

  /** Runs tests with the fault in place, and takes it out again. @throws if it cannot be planted */
  async runWith(mutant: Mutant, tests: Selection): Promise<Verdict> {
    const file = join(this.#folder, mutant.file);
    const source = await readFile(file, 'utf8');
    await writeFile(file, plant(mutant, source));
    try {
      return await this.run(tests);
    } finally {
      await writeFile(file, source);
    }
  }

  /** Runs tests up to the first failure. */
  async run({ files, titles }: Selection): Promise<Verdict> {
    const report = join(this.#folder, 'mutant-report.json');
    await rm(report, { force: true });
    const mocha = join(this.#folder, 'node_modules/mocha/bin/mocha.js');
    const how = [
      '--no-parallel',
      '--bail',
      '--exit',
      '--reporter',
      'json',
      '--reporter-option',
      `output=${report}`,
    ];
    const child = spawn(process.execPath, [mocha, ...how, '--grep', titles, ...files], {
      cwd: this.#folder,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const pipe of [child.stdout, child.stderr]) pipe.on('data', (text: Buffer) => (output += text));
    let hasHung = false;
    const stop = setTimeout(() => {
      hasHung = true;
      child.kill('SIGKILL');
    }, timeoutMs);
    // Not `close`: processes that a stopped test has left behind may keep the pipes open.
    await once(child, 'exit');
    clearTimeout(stop);
    if (hasHung) return { kind: 'hung' };
    return verdictIn(await readFile(report, 'utf8').catch(() => ''), output);
  }

  remove(): Promise<void> {
    process.off('exit', this.#clean);
    return rm(this.#folder, { recursive: true, force: true });
  }
}

/** @param report of mocha, as JSON; empty when the tests could not be loaded */
const verdictIn = (report: string, output: string): Verdict => {
  if (report === '') return { kind: 'broken', output };
  const { stats, failures } = JSON.parse(report) as {
    readonly stats: { readonly passes: number };
    readonly failures: readonly { readonly fullTitle: string }[];
  };
  const [first] = failures;
  if (first !== undefined) return { kind: 'failed', title: first.fullTitle };
  return stats.passes > 0 ? { kind: 'passed', count: stats.passes } : { kind: 'broken', output };
};
