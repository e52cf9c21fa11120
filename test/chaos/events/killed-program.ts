import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from '#test/support/random.ts';
import { Program } from '../../lab/program.ts';

interface Options {
  /** A file of this folder. */
  readonly program: string;
  readonly parameters: readonly string[];
  readonly cache: string;
  readonly random: Random;
  /** How long it runs, in milliseconds, and how many times as long. */
  readonly livesMs: readonly [least: number, most: number];
  readonly longerLives: number;
  readonly onKilled: () => void;
}

/** A program that is killed again and again, and started again at once, until its end. */
export class KilledProgram {
  readonly #options: Options;
  readonly #calm = new AbortController();
  readonly #running: Promise<void>;
  #child: Program | undefined;
  #isWanted = true;

  constructor(options: Options) {
    this.#options = options;
    this.#running = this.#run();
  }

  /** From now on it is not killed. */
  spare(): void {
    this.#calm.abort();
  }

  async end(): Promise<void> {
    this.#isWanted = false;
    this.#child?.signal('SIGKILL');
    await this.#running;
  }

  async #run(): Promise<void> {
    const { program, parameters, cache, random, livesMs, longerLives } = this.#options;
    while (this.#isWanted) {
      const child = new Program(`test/chaos/events/${program}`, {
        environment: { NODE_COMPILE_CACHE: cache },
        words: parameters,
      });
      this.#child = child;
      const killing = pause(random.between(...livesMs) * longerLives, undefined, {
        signal: this.#calm.signal,
      });
      killing.then(
        () => child.signal('SIGKILL'),
        () => undefined,
      );
      const { code, signal } = await child.exited;
      if (signal !== 'SIGKILL')
        throw new Error(`${program} ended with code ${code}, signal ${signal}: ${child.errors}`);
      if (this.#isWanted) this.#options.onKilled();
    }
  }
}
