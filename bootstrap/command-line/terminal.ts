import type { Writable } from 'node:stream';
import type { Environment } from '../settings.ts';
import { type Colours, colours, hasColours } from './colours.ts';
import { type Progress, progressOn } from './progress.ts';

/** Whoever read the results has had enough, as `head` has. There is nobody left to work for, and nothing wrong. */
export class ReaderGone extends Error {}

/** Where a command says what it has to say: results to standard output, all else to standard error. */
export interface Terminal {
  /** Resolves when there is room for more. @throws ReaderGone */
  print(text: string): Promise<void>;
  /** One line for the person, whether or not anybody reads the results. */
  note(line: string): void;
  /** @param isWanted nothing is shown where it is not */
  progress(isWanted: boolean): Progress;
  /** Of results. */
  readonly colours: Colours;
  /** Aborts at the first SIGINT or SIGTERM. Whoever has asked for it decides how the command ends. */
  interruption(): AbortSignal;
}

interface Stream extends Writable {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

interface Surroundings {
  readonly stdout: Stream;
  readonly stderr: Stream;
  readonly env: Environment;
  on(signal: 'SIGINT' | 'SIGTERM', then: () => void): unknown;
}

export const terminalOf = (surroundings: Surroundings): Terminal => {
  const { stdout, stderr, env } = surroundings;
  let interruption: AbortController | undefined;
  let aside: Progress['aside'] = (line) => {
    stderr.write(`${line}\n`);
  };
  // Whoever does not read what is said beside the results keeps nobody from their work.
  stderr.on('error', () => undefined);
  stdout.on('error', () => undefined);
  return {
    print: (text) =>
      new Promise((resolve, reject) => {
        stdout.write(text, (error) => {
          if (error === null || error === undefined) resolve();
          else reject(isGone(error) ? new ReaderGone() : error);
        });
      }),
    note: (line) => aside(line),
    progress: (isWanted) => {
      const progress = progressOn(stderr, isWanted);
      aside = progress.aside;
      return progress;
    },
    colours: colours(hasColours(env, stdout.isTTY)),
    interruption: () => {
      if (interruption === undefined) {
        const controller = new AbortController();
        interruption = controller;
        for (const signal of ['SIGINT', 'SIGTERM'] as const) {
          surroundings.on(signal, () => controller.abort(signal));
        }
      }
      return interruption.signal;
    },
  };
};

const isGone = (error: NodeJS.ErrnoException): boolean =>
  error.code === 'EPIPE' || error.code === 'ERR_STREAM_DESTROYED';
