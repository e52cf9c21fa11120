import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';

/** A system call of the thread that serves the requests of a server and writes to its database. */
export interface SystemCall {
  readonly name: string;
  /** How many calls of this name there were so far, with this one. */
  readonly ordinal: number;
  /** The file or the connection, as strace shows it. */
  readonly target: string;
  /** Whether strace has let it fail. */
  readonly isInjected: boolean;
}

/** How long strace may take to see that the process has been killed, in milliseconds. */
const endTimeMs = 1_000;

/** What leaves a process. */
const traced = 'write,writev,sendto,sendmsg,pwrite64,fsync,fdatasync,ftruncate';

/** @throws Error with a message for the user of the command line */
export const requireStrace = (): void => {
  if (spawnSync('strace', ['-V']).status === 0) return;
  throw new Error('strace is missing. Install it, for example with "apt-get install strace".');
};

/** strace, attached to the main thread of a running process. */
export class Trace {
  readonly #child: ChildProcess;
  readonly #log: string;

  private constructor(child: ChildProcess, log: string) {
    this.#child = child;
    this.#log = log;
  }

  /**
   * @param log the file that it writes
   * @param injection what happens to one of the calls, in the words of strace's option `inject`
   * @throws Error when the system does not allow it
   */
  static async attach(pid: number, log: string, injection?: string): Promise<Trace> {
    const inject = injection === undefined ? [] : ['-e', `inject=${injection}`];
    const options = ['-yy', '-s', '60', '-o', log, '-e', `trace=${traced}`, ...inject];
    const child = spawn('strace', [...options, '-p', `${pid}`], { stdio: ['ignore', 'ignore', 'pipe'] });
    const [said] = await Promise.race([once(child.stderr, 'data'), once(child, 'exit').then(() => [''])]);
    if (String(said).includes('attached')) return new Trace(child, log);
    throw new Error(`strace cannot attach to process ${pid}: ${said}`);
  }

  /** Detaches from the process, if it still exists. @returns what strace has written */
  async end(): Promise<string> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) {
      const ended = once(this.#child, 'exit');
      await Promise.race([ended, pause(endTimeMs)]);
      this.#child.kill('SIGINT');
      await ended;
    }
    return readFile(this.#log, 'utf8');
  }
}

/** Whether the traced process was killed. */
export const wasKilled = (text: string): boolean => text.includes('+++ killed by SIGKILL +++');

/** Reads what strace has written. */
export const parseCalls = (text: string): readonly SystemCall[] => {
  const ordinals = new Map<string, number>();
  const calls: SystemCall[] = [];
  for (const [line, name = '', target = ''] of text.matchAll(/^(\w+)\(\d+<(.*?)>[,)].*$/gm)) {
    const ordinal = (ordinals.get(name) ?? 0) + 1;
    ordinals.set(name, ordinal);
    calls.push({ name, ordinal, target, isInjected: line.endsWith('(INJECTED)') });
  }
  return calls;
};
