import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

interface How {
  /** Where it runs, and where what it writes is kept. */
  readonly folder: string;
  /** What its files are called. */
  readonly name: string;
  /** Nothing of this process's own environment is handed on. */
  readonly environment: Readonly<Record<string, string>>;
  /** For Node. */
  readonly flags?: readonly string[];
  readonly words?: readonly string[];
}

/** A program of ours whose output goes into files, as a user would have it, so that nobody has to read it meanwhile. */
export class Child {
  readonly #process: ChildProcess;
  readonly #output: string;
  readonly #errors: string;
  readonly #clean = (): void => void this.#process.kill('SIGKILL');

  /** @param file below the root */
  constructor(file: string, { folder, name, environment, flags = [], words = [] }: How) {
    this.#output = join(folder, `${name}.out`);
    this.#errors = join(folder, `${name}.log`);
    const [output, errors] = [openSync(this.#output, 'a'), openSync(this.#errors, 'a')];
    this.#process = spawn(process.execPath, [...flags, join(root, file), ...words], {
      cwd: folder,
      env: { ...environment },
      stdio: ['ignore', output, errors],
    });
    closeSync(output);
    closeSync(errors);
    process.prependOnceListener('exit', this.#clean);
  }

  get id(): number {
    if (this.#process.pid === undefined) throw new Error('It could not be started.');
    return this.#process.pid;
  }

  output(): Promise<string> {
    return readFile(this.#output, 'utf8');
  }

  /** What it said on standard output, once that has such a part. @throws when it ends before, or takes a minute */
  async said(part: RegExp): Promise<RegExpExecArray> {
    const deadline = performance.now() + 60_000;
    for (;;) {
      const found = part.exec(await this.output());
      if (found !== null) return found;
      if (this.#isOver || performance.now() > deadline) {
        throw new Error(`It did not start: ${(await readFile(this.#errors, 'utf8')).slice(-2000)}`);
      }
      await pause(2);
    }
  }

  /** Waits until it has ended by itself. @throws unless it ended well */
  async ended(): Promise<void> {
    if (!this.#isOver) await once(this.#process, 'exit');
    process.off('exit', this.#clean);
    if (this.#process.exitCode !== 0) throw new Error(`It failed: ${await readFile(this.#errors, 'utf8')}`);
  }

  /** Asks it to end, and after ten seconds makes it. */
  async end(): Promise<void> {
    process.off('exit', this.#clean);
    if (this.#isOver) return;
    const gone = once(this.#process, 'exit');
    const impatience = setTimeout(() => this.#process.kill('SIGKILL'), 10_000);
    this.#process.kill('SIGTERM');
    await gone;
    clearTimeout(impatience);
  }

  get #isOver(): boolean {
    return this.#process.exitCode !== null || this.#process.signalCode !== null;
  }
}
