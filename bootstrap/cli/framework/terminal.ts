import type { Writable } from 'node:stream';
import type { Environment } from '../../config/env-parser.ts';
import { type Colours, colours, hasColours } from './colours.ts';
import { visible } from './escape-control.ts';
import { hasBar, type Progress, progressOn } from './progress.ts';
import { written } from './write.ts';

/** Whoever read the results has had enough, as `head` has. There is nobody left to work for, and nothing wrong. */
export class ReaderGone extends Error {}

/** Where a command says what it has to say: results to standard output, all else to standard error. */
export interface Terminal {
  /** Resolves when there is room for more. @throws ReaderGone */
  print(text: string): Promise<void>;
  /**
   * One line for the person, whether or not anybody reads the results: whatever stands in it, it stays one line. Resolves
   * when it is on its way, also where nobody reads it.
   */
  note(line: string): Promise<void>;
  /** @param isWanted nothing is shown where it is not */
  progress(isWanted: boolean): Progress;
  /** Of results. */
  readonly colours: Colours;
  /** Aborts at the first SIGINT, SIGTERM or SIGHUP, which is a terminal that was closed. Whoever has asked for it decides how the command ends. */
  interruption(): AbortSignal;
  /** Aborts when that is asked for again: whoever does so will not wait. */
  insistence(): AbortSignal;
  /** Resolves when all that was said is on its way. */
  flush(): Promise<void>;
}

interface Stream extends Writable {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

interface Surroundings {
  readonly stdout: Stream;
  readonly stderr: Stream;
  readonly env: Environment;
  on(signal: 'SIGINT' | 'SIGTERM' | 'SIGHUP', then: () => void): unknown;
}

export const terminalOf = (surroundings: Surroundings): Terminal => {
  const { stdout, stderr, env } = surroundings;
  let signals: { readonly first: AbortController; readonly second: AbortController } | undefined;
  const heard = () => {
    signals ??= hear(surroundings);
    return signals;
  };
  let aside: Progress['aside'] = (line) => written(stderr, `${line}\n`);
  // Whoever does not read what is said beside the results keeps nobody from their work.
  stderr.on('error', () => undefined);
  stdout.on('error', () => undefined);
  return {
    print: (text) =>
      new Promise((resolve, reject) => {
        stdout.write(text, (error) => {
          if (error === null || error === undefined) resolve();
          else reject(isGone(error) ? new ReaderGone() : Object.assign(error, { path: 'standard output' }));
        });
      }),
    note: (line) => aside(visible(line)),
    progress: (isWanted) => {
      const progress = progressOn(stderr, { isWanted, isBar: hasBar(env, stderr.isTTY) });
      aside = progress.aside;
      return progress;
    },
    flush: async () => {
      await Promise.all([stdout, stderr].map((stream) => written(stream, '')));
    },
    colours: colours(hasColours(env, stdout.isTTY)),
    interruption: () => heard().first.signal,
    insistence: () => heard().second.signal,
  };
};

/** Between two signals of which the second is meant, in milliseconds. `npm` passes on what the shell has sent already. */
const echo = 500;

const hear = (surroundings: Surroundings) => {
  const first = new AbortController();
  const second = new AbortController();
  let since = 0;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    surroundings.on(signal, () => {
      if (!first.signal.aborted) {
        since = performance.now();
        first.abort(signal);
      } else if (performance.now() - since > echo) second.abort(signal);
    });
  }
  return { first, second };
};

const isGone = (error: NodeJS.ErrnoException): boolean =>
  error.code === 'EPIPE' || error.code === 'ERR_STREAM_DESTROYED';
