import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../..', import.meta.url));

type Environment = Readonly<Record<string, string>>;

/** A program of ours in a process of its own. */
export class Program {
  readonly #child: ChildProcess;
  #output = '';
  #errors = '';
  readonly #end: Promise<void>;

  /**
   * @param file below the root. Nothing of this process's own environment is handed on.
   * @param folder where it runs
   * @param flags of Node
   * @param words what stands behind it on its command line
   * @param input what it reads from standard input
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
    // Whoever is killed may leave a pipe in the middle of something.
    for (const pipe of [this.#child.stdout, this.#child.stderr]) pipe?.on('error', () => undefined);
    this.#child.stdout?.on('data', (text: Buffer) => {
      this.#output += text;
    });
    this.#child.stderr?.on('data', (text: Buffer) => {
      this.#errors += text;
    });
    this.#end = once(this.#child, 'close').then(() => undefined);
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

  /** Waits until it has ended by itself. @returns the exit code; null when a signal ended it */
  async ended(): Promise<number | null> {
    await this.#end;
    return this.#child.exitCode;
  }

  /** Ends it, however it is. */
  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#end;
  }
}
