import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/** The working copy that this file is in. */
export const root = fileURLToPath(new URL('../..', import.meta.url));

interface Options {
  /** The whole environment: nothing is inherited. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** The working directory. Default: that of temporary files. */
  readonly folder?: string | undefined;
  /** Flags of Node. */
  readonly flags?: readonly string[];
  /** The working copy of the program, if it is not this one. */
  readonly from?: string | undefined;
  /** The arguments of the program. */
  readonly words?: readonly string[];
  /** Its standard input. */
  readonly input?: string | undefined;
  /** The files that its streams are appended to, so that no reader slows it down. Default: they are read by this process. */
  readonly outputFile?: string;
  readonly errorsFile?: string;
  /** Called with each part of its output that this process reads. */
  readonly onOutput?: (text: string) => void;
}

/** How a process has ended. */
export interface Exit {
  /** Null after a signal. */
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** How long a start may take, and how long a graceful stop, in milliseconds. */
const startTimeoutMs = 60_000;
const stopTimeoutMs = 10_000;

/** A program of this repository in a process of its own. It ends with this process at the latest. */
export class Program {
  readonly #child: ChildProcess;
  readonly #options: Options;
  readonly #read = { output: '', errors: '' };
  readonly #closed: Promise<void>;
  readonly #exited: Promise<Exit>;
  readonly #clean = (): void => void this.#child.kill('SIGKILL');

  /** @param file from the root of the working copy */
  constructor(file: string, options: Options = {}) {
    const { environment = {}, folder = tmpdir(), flags = [], words = [], input, from = root } = options;
    this.#options = options;
    const files = [options.outputFile, options.errorsFile].map((path) => path && openSync(path, 'a'));
    const [output = 'pipe', errors = 'pipe'] = files;
    this.#child = spawn(process.execPath, [...flags, join(from, file), ...words], {
      cwd: folder,
      env: { ...environment },
      stdio: [input === undefined ? 'ignore' : 'pipe', output || 'pipe', errors || 'pipe'],
    });
    for (const descriptor of files) if (typeof descriptor === 'number') closeSync(descriptor);
    const { stdin, stdout, stderr } = this.#child;
    stdin?.end(input);
    // A killed process may break its pipes.
    for (const pipe of [stdin, stdout, stderr]) pipe?.on('error', () => undefined);
    stdout?.on('data', (text: Buffer) => {
      this.#read.output += text;
      options.onOutput?.(text.toString());
    });
    stderr?.on('data', (text: Buffer) => {
      this.#read.errors += text;
    });
    process.prependOnceListener('exit', this.#clean);
    this.#exited = once(this.#child, 'exit').then(([code, signal]) => ({ code, signal }));
    this.#closed = once(this.#child, 'close').then(() => void process.off('exit', this.#clean));
  }

  /** @throws when it could not be started */
  get id(): number {
    if (this.#child.pid === undefined) throw new Error('The process could not be started.');
    return this.#child.pid;
  }

  get output(): string {
    const { outputFile } = this.#options;
    return outputFile === undefined ? this.#read.output : readFileSync(outputFile, 'utf8');
  }

  get errors(): string {
    const { errorsFile } = this.#options;
    return errorsFile === undefined ? this.#read.errors : readFileSync(errorsFile, 'utf8');
  }

  /** The exit code. Undefined while it runs, and after a signal. */
  get code(): number | undefined {
    return this.#child.exitCode ?? undefined;
  }

  get isOver(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  /** Resolves when it has exited; what it has printed may still be under way. */
  get exited(): Promise<Exit> {
    return this.#exited;
  }

  signal(name: NodeJS.Signals): void {
    this.#child.kill(name);
  }

  /**
   * Waits until its output matches.
   * @throws with what it has reported, when it exits before, or after a minute
   */
  async printed(pattern: RegExp): Promise<RegExpExecArray> {
    const deadline = performance.now() + startTimeoutMs;
    for (let pauseMs = 5; ; pauseMs = Math.min(100, 1.5 * pauseMs)) {
      const found = pattern.exec(this.output);
      if (found !== null) return found;
      if (this.isOver || performance.now() > deadline)
        throw new Error(`The program has not printed ${pattern}: ${this.errors.slice(-2_000)}`);
      await pause(pauseMs);
    }
  }

  /** Waits until it has exited and everything that it has printed is here. @returns the exit code; null after a signal */
  async ended(): Promise<number | null> {
    await this.#closed;
    return this.#child.exitCode;
  }

  /** Stops it gracefully, and kills it after ten seconds. */
  async stop(): Promise<void> {
    if (this.isOver) return;
    const timer = setTimeout(() => this.signal('SIGKILL'), stopTimeoutMs);
    this.signal('SIGTERM');
    await this.#closed;
    clearTimeout(timer);
  }

  /** Kills it, and waits until it has exited. */
  async kill(): Promise<void> {
    this.signal('SIGKILL');
    await this.#closed;
  }
}
