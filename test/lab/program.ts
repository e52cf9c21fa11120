import { type ChildProcess, type Serializable, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { killAtExit } from '../support/at-exit.ts';

/** The working copy that this file is in. */
export const root = fileURLToPath(new URL('../..', import.meta.url));

export interface ProgramOptions {
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
  /** Whether it can exchange messages with this process, as `process.send` sends them. */
  readonly hasChannel?: boolean;
}

interface Wait {
  readonly on?: 'output' | 'errors';
  readonly timeoutMs?: number;
}

/** How a process has ended. */
export interface Exit {
  /** Null after a signal. */
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** How long a start may take, and how long a graceful stop, in milliseconds: the machine may be slow or busy. */
const startTimeoutMs = 60_000;
const stopTimeoutMs = 10_000;

/** How often a file is read that something is expected in, in milliseconds. */
const fileIntervalMs = 20;

/** A program of this repository in a process of its own. It ends with this process at the latest. */
export class Program {
  readonly #child: ChildProcess;
  readonly #file: string;
  readonly #options: ProgramOptions;
  readonly #read = { output: '', errors: '' };
  readonly #closed: Promise<void>;
  readonly #exited: Promise<Exit>;
  #hasClosed = false;
  /** Called with each part of what it prints, and at its end. */
  readonly #waiting = new Set<() => void>();

  /** @param file from the root of the working copy, or an absolute path */
  constructor(file: string, options: ProgramOptions = {}) {
    const { environment = {}, folder = tmpdir(), flags = [], words = [], input, from = root } = options;
    this.#file = file;
    this.#options = options;
    const files = [options.outputFile, options.errorsFile].map((path) =>
      path === undefined ? 'pipe' : openSync(path, 'a'),
    );
    this.#child = spawn(process.execPath, [...flags, resolve(from, file), ...words], {
      cwd: folder,
      env: { ...environment },
      stdio: [input === undefined ? 'ignore' : 'pipe', ...files, options.hasChannel ? 'ipc' : 'ignore'],
    });
    killAtExit(this.#child);
    for (const file of files) if (file !== 'pipe') closeSync(file);
    const { stdin, stdout, stderr } = this.#child;
    stdin?.end(input);
    // A killed process may break its pipes.
    for (const pipe of [stdin, stdout, stderr]) pipe?.on('error', () => undefined);
    stdout?.on('data', (text: Buffer) => {
      this.#read.output += text;
      options.onOutput?.(text.toString());
      this.#wake();
    });
    stderr?.on('data', (text: Buffer) => {
      this.#read.errors += text;
      this.#wake();
    });
    this.#exited = once(this.#child, 'exit').then(([code, signal]) => ({ code, signal }));
    this.#closed = once(this.#child, 'close').then(() => {
      this.#hasClosed = true;
      this.#wake();
    });
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

  /** Reads no more of its errors, so that it stops when it has written as much as their pipe holds. */
  pauseErrors(): void {
    this.#child.stderr?.pause();
  }

  resumeErrors(): void {
    this.#child.stderr?.resume();
  }

  signal(name: NodeJS.Signals): void {
    this.#child.kill(name);
  }

  /**
   * Waits until what it has printed matches.
   * @param on the stream: standard output by default
   * @throws with what it has reported, when it exits before, or after a minute
   */
  async printed(
    pattern: RegExp,
    { on = 'output', timeoutMs = startTimeoutMs }: Wait = {},
  ): Promise<RegExpExecArray> {
    const { promise, resolve, reject } = Promise.withResolvers<RegExpExecArray>();
    const fail = (): void => reject(this.#error(`has not printed ${pattern}`));
    const check = (): void => {
      const found = pattern.exec(this[on]);
      if (found !== null) resolve(found);
      else if (this.#hasClosed) fail();
    };
    const timeout = setTimeout(fail, timeoutMs);
    const isInFile = this.#options[`${on}File`] !== undefined;
    const poll = isInFile ? setInterval(check, fileIntervalMs) : undefined;
    this.#waiting.add(check);
    check();
    try {
      return await promise;
    } finally {
      clearTimeout(timeout);
      clearInterval(poll);
      this.#waiting.delete(check);
    }
  }

  /**
   * Sends a message over its channel, if one is given.
   * @returns the next message that it sends
   * @throws with what it has reported, when it exits instead
   */
  async exchange(message?: Serializable): Promise<unknown> {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const fail = (): void => reject(this.#error('has sent no message'));
    this.#child.once('message', resolve);
    this.#child.once('close', fail);
    if (this.#hasClosed) fail();
    else if (message !== undefined) this.#child.send(message);
    try {
      return await promise;
    } finally {
      this.#child.off('message', resolve).off('close', fail);
    }
  }

  /** Waits until it has exited and everything that it has printed is here. @returns the exit code; null after a signal */
  async ended(): Promise<number | null> {
    await this.#closed;
    return this.#child.exitCode;
  }

  /** Waits until it has exited. @returns its output @throws with what it has printed, unless the exit code is 0 */
  async succeeded(): Promise<string> {
    if ((await this.ended()) !== 0) throw this.#error('has failed');
    return this.output;
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

  #wake(): void {
    for (const check of this.#waiting) check();
  }

  /** What it has failed to do, how it has ended, and the end of what it has printed. */
  #error(what: string): Error {
    const { exitCode, signalCode } = this.#child;
    const state = this.isOver ? `exited with ${exitCode ?? signalCode}` : 'still runs';
    const printed = `${this.output.slice(-1_000)}${this.errors.slice(-2_000)}`;
    return new Error(`${this.#file} ${what}, and ${state}: ${printed}`);
  }
}
