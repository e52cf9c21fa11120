import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { Task, Verdict } from './worker.ts';

/** A run of one task that takes longer is stopped: a fault can make the code loop for ever. */
const defaultTimeoutMs = 180_000;

export type Outcome = Verdict | { readonly kind: 'hung' };

/** Runs tests with a fault in another process, which is kept until a run hangs. */
export class Runner {
  readonly #timeoutMs: number;
  #child: ChildProcess | undefined;

  /** @param timeoutMs how long a task may take */
  constructor(timeoutMs = defaultTimeoutMs) {
    this.#timeoutMs = timeoutMs;
  }

  async run(task: Task): Promise<Outcome> {
    const child = this.#running();
    const timeout = AbortSignal.timeout(this.#timeoutMs);
    const ended = new AbortController();
    const signal = AbortSignal.any([timeout, ended.signal]);
    try {
      child.send(task);
      const verdict = await Promise.race([
        once(child, 'message', { signal }).then(([message]) => message as Verdict),
        once(child, 'exit', { signal }).then(
          ([code]): Verdict => ({ kind: 'broken', message: `The process exited with ${code}.` }),
        ),
      ]);
      // What a test that took too long has left behind could fail the next one.
      if (verdict.kind === 'failed' && verdict.isTimeout) this.close();
      return verdict;
    } catch (error) {
      if (!timeout.aborted) throw error;
      this.close();
      return { kind: 'hung' };
    } finally {
      ended.abort();
    }
  }

  close(): void {
    this.#child?.kill('SIGKILL');
    this.#child = undefined;
  }

  #running(): ChildProcess {
    if (this.#child === undefined || this.#child.exitCode !== null || !this.#child.connected) {
      this.#child = fork(new URL('worker.ts', import.meta.url), { execArgv: ['--no-warnings'] });
    }
    return this.#child;
  }
}
