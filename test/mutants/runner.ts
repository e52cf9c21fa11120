import { setTimeout as pause } from 'node:timers/promises';
import { Program } from '../lab/program.ts';
import type { Task, Verdict } from './worker.ts';

/** A run of one task that takes longer is stopped: a fault can make the code loop for ever. */
const defaultTimeoutMs = 180_000;

export type Outcome = Verdict | { readonly kind: 'hung' };

/** Runs tests with a fault in another process, which is kept until a run hangs. */
export class Runner {
  readonly #timeoutMs: number;
  #program: Program | undefined;

  /** @param timeoutMs how long a task may take */
  constructor(timeoutMs = defaultTimeoutMs) {
    this.#timeoutMs = timeoutMs;
  }

  async run(task: Task): Promise<Outcome> {
    const program = this.#running();
    const ended = new AbortController();
    const { signal } = ended;
    const verdict = program.exchange(task).then(
      (message) => message as Verdict,
      ({ message }: Error): Verdict => ({ kind: 'broken', message }),
    );
    const hung = pause<Outcome>(this.#timeoutMs, { kind: 'hung' }, { signal });
    try {
      const outcome = await Promise.race([verdict, hung]);
      // What a test that took too long has left behind could fail the next one.
      if (outcome.kind === 'hung' || (outcome.kind === 'failed' && outcome.isTimeout)) this.close();
      return outcome;
    } finally {
      ended.abort();
    }
  }

  close(): void {
    this.#program?.signal('SIGKILL');
    this.#program = undefined;
  }

  #running(): Program {
    if (this.#program === undefined || this.#program.isOver) {
      const options = { environment: process.env, flags: ['--no-warnings'], hasChannel: true };
      this.#program = new Program('test/mutants/worker.ts', options);
    }
    return this.#program;
  }
}
