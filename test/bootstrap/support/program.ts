import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../..', import.meta.url));

type Environment = Readonly<Record<string, string | undefined>>;

/** A program of this repository in a process of its own. */
export class Program {
  readonly #child: ChildProcess;
  #output = '';
  #errors = '';
  readonly #end: Promise<void>;
  #hasEnded = false;
  readonly #waiting = new Set<() => void>();

  /**
   * @param file below the root of the repository
   * @param environment the whole environment: nothing is inherited
   * @param folder the working directory
   * @param flags of Node
   * @param words the arguments of the program
   * @param input its standard input
   */
  constructor(
    file: string,
    environment: Environment,
    folder = tmpdir(),
    flags: readonly string[] = [],
    words: readonly string[] = [],
    input?: string,
  ) {
    this.#child = spawn(process.execPath, [...flags, join(root, file), ...words], {
      cwd: folder,
      env: { ...environment },
      stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    });
    this.#child.stdin?.end(input);
    // A killed process may break its pipes.
    for (const pipe of [this.#child.stdout, this.#child.stderr]) pipe?.on('error', () => undefined);
    this.#child.stdout?.on('data', (text: Buffer) => {
      this.#output += text;
      this.#wake();
    });
    this.#child.stderr?.on('data', (text: Buffer) => {
      this.#errors += text;
      this.#wake();
    });
    this.#end = once(this.#child, 'close').then(() => {
      this.#hasEnded = true;
      this.#wake();
    });
  }

  get id(): number | undefined {
    return this.#child.pid;
  }

  get output(): string {
    return this.#output;
  }

  get errors(): string {
    return this.#errors;
  }

  /** Undefined while it runs. */
  get code(): number | null | undefined {
    return this.#child.exitCode ?? undefined;
  }

  signal(name: NodeJS.Signals): void {
    this.#child.kill(name);
  }

  /** Waits until what it has printed satisfies the condition, which is checked at each piece, or until it has exited. */
  printed(condition: (program: this) => boolean): Promise<void> {
    return new Promise((resolve) => {
      const check = (): void => {
        if (!condition(this) && !this.#hasEnded) return;
        this.#waiting.delete(check);
        resolve();
      };
      this.#waiting.add(check);
      check();
    });
  }

  #wake(): void {
    for (const check of this.#waiting) check();
  }

  /** Waits until it has exited. @returns the exit code; null after a signal */
  async ended(): Promise<number | null> {
    await this.#end;
    return this.#child.exitCode;
  }

  /** Kills it, and waits until it has exited. */
  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#end;
  }
}
