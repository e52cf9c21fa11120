import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../..', import.meta.url));

interface ChildOptions {
  /** Working directory, and the place of its output files. */
  readonly folder: string;
  /** Base name of the output files. */
  readonly name: string;
  /** The whole environment: nothing of this process is inherited. */
  readonly environment: Readonly<Record<string, string>>;
  /** Flags for Node. */
  readonly flags?: readonly string[];
  readonly args?: readonly string[];
}

/** A child process whose output goes to files, so that no reader slows it down. */
export class Child {
  readonly #process: ChildProcess;
  readonly #output: string;
  readonly #errors: string;
  readonly #clean = (): void => void this.#process.kill('SIGKILL');

  /** @param file path from the root of the repository */
  constructor(file: string, { folder, name, environment, flags = [], args: words = [] }: ChildOptions) {
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
    if (this.#process.pid === undefined) throw new Error('The process could not be started.');
    return this.#process.pid;
  }

  output(): Promise<string> {
    return readFile(this.#output, 'utf8');
  }

  /** Waits until standard output matches. @throws if the process ends before, or after a minute */
  async waitForOutput(part: RegExp): Promise<RegExpExecArray> {
    const deadline = performance.now() + 60_000;
    for (;;) {
      const found = part.exec(await this.output());
      if (found !== null) return found;
      if (this.#isOver || performance.now() > deadline) {
        throw new Error(`The process did not start: ${(await readFile(this.#errors, 'utf8')).slice(-2000)}`);
      }
      await pause(2);
    }
  }

  /** Waits for the process to exit. @throws unless its exit code is 0 */
  async waitForExit(): Promise<void> {
    if (!this.#isOver) await once(this.#process, 'exit');
    process.off('exit', this.#clean);
    if (this.#process.exitCode !== 0)
      throw new Error(`The process failed: ${await readFile(this.#errors, 'utf8')}`);
  }

  /** Sends SIGTERM, and SIGKILL after ten seconds. */
  async stop(): Promise<void> {
    process.off('exit', this.#clean);
    if (this.#isOver) return;
    const gone = once(this.#process, 'exit');
    const kill = setTimeout(() => this.#process.kill('SIGKILL'), 10_000);
    this.#process.kill('SIGTERM');
    await gone;
    clearTimeout(kill);
  }

  get #isOver(): boolean {
    return this.#process.exitCode !== null || this.#process.signalCode !== null;
  }
}
