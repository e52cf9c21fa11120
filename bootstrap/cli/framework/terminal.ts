import type { Readable, Writable } from 'node:stream';
import { styleText } from 'node:util';
import type { Environment } from '../../config/env-parser.ts';
import { createProgress, type Progress, supportsBar, write } from './progress.ts';

/**
 * Text from outside (a name, a line of a file) made safe for a terminal. Control characters, line ends and
 * direction marks, which could forge other output, become `\uXXXX`.
 */
export const escapeControl = (text: string): string =>
  text.replace(
    /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

type Paint = (text: string) => string;

/** Each escapes its text and, where colours are supported, paints it. */
export interface Colours {
  readonly success: Paint;
  readonly warning: Paint;
  readonly error: Paint;
  readonly dim: Paint;
}

/** `NO_COLOR` switches colours off (https://no-color.org), and `FORCE_COLOR` switches them on without a terminal. */
export const supportsColours = (
  { NO_COLOR, FORCE_COLOR, TERM }: Environment,
  isTerminal: boolean | undefined,
): boolean => {
  if (NO_COLOR !== undefined && NO_COLOR !== '') return false;
  if (FORCE_COLOR !== undefined) return FORCE_COLOR !== '0' && FORCE_COLOR !== 'false';
  return isTerminal === true && TERM !== 'dumb';
};

export const createColours = (isEnabled: boolean): Colours => {
  const paint =
    (style: 'green' | 'yellow' | 'red' | 'dim'): Paint =>
    (text) => {
      const plain = escapeControl(text);
      return isEnabled ? styleText(style, plain, { validateStream: false }) : plain;
    };
  return { success: paint('green'), warning: paint('yellow'), error: paint('red'), dim: paint('dim') };
};

/** The reader of standard output has closed it, as `head` does. The command stops and has succeeded. */
export class BrokenPipe extends Error {}

/** Results go to standard output, everything else to standard error. */
export interface Terminal {
  /** Prints results. Resolves when standard output accepts more. @throws BrokenPipe */
  print(text: string): Promise<void>;
  /**
   * Prints one line to standard error; line ends within it are escaped. Resolves when the stream has accepted it, also
   * when its reader is gone.
   */
  notify(line: string): Promise<void>;
  progress(isEnabled: boolean): Progress;
  /** Standard input. Read this property only to read the stream: Node opens it at the first access. */
  readonly stdin: Readable;
  /** For results. */
  readonly colours: Colours;
  /** The width of the window that shows results, in characters; undefined where that is unknown. */
  readonly columns: number | undefined;
  /**
   * Aborts at the first SIGINT, SIGTERM or SIGHUP, with the signal's name as its reason. Calling this replaces the
   * default of ending the process: the command decides how it ends.
   */
  interruptSignal(): AbortSignal;
  /** Aborts at a second such signal: end at once. */
  forceSignal(): AbortSignal;
  /** Resolves when both streams have accepted everything. */
  flush(): Promise<void>;
}

interface Stream extends Writable {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

interface Dependencies {
  readonly stdin: Readable;
  readonly stdout: Stream;
  readonly stderr: Stream;
  readonly env: Environment;
  on(signal: 'SIGINT' | 'SIGTERM' | 'SIGHUP', listener: () => void): unknown;
}

export const createTerminal = (dependencies: Dependencies): Terminal => {
  const { stdout, stderr, env } = dependencies;
  let signals: { readonly first: AbortController; readonly second: AbortController } | undefined;
  const signalsOf = () => {
    signals ??= listenForSignals(dependencies);
    return signals;
  };
  let notify: Progress['printAbove'] = (line) => write(stderr, `${line}\n`);
  // Without a listener, a reader that has closed its end would end the process with an uncaught error.
  stderr.on('error', () => undefined);
  stdout.on('error', () => undefined);
  return {
    print: (text) =>
      new Promise((resolve, reject) => {
        stdout.write(text, (error) => {
          if (error === null || error === undefined) resolve();
          else if (isBrokenPipe(error)) reject(new BrokenPipe());
          else reject(Object.assign(error, { path: 'standard output' }));
        });
      }),
    notify: (line) => notify(escapeControl(line)),
    progress: (isEnabled) => {
      const progress = createProgress(stderr, { isEnabled, isBar: supportsBar(env, stderr.isTTY) });
      notify = progress.printAbove;
      return progress;
    },
    get stdin() {
      return dependencies.stdin;
    },
    flush: async () => {
      await Promise.all([stdout, stderr].map((stream) => write(stream, '')));
    },
    colours: createColours(supportsColours(env, stdout.isTTY)),
    // A terminal whose width is unknown reports 0.
    columns: stdout.columns || undefined,
    interruptSignal: () => signalsOf().first.signal,
    forceSignal: () => signalsOf().second.signal,
  };
};

/** A second signal within this time repeats the first: the shell sends one to the group, and `npm` forwards it. */
const duplicateSignalWindowMs = 500;

const listenForSignals = (dependencies: Dependencies) => {
  const first = new AbortController();
  const second = new AbortController();
  let firstAt = 0;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    dependencies.on(signal, () => {
      if (!first.signal.aborted) {
        firstAt = performance.now();
        first.abort(signal);
      } else if (performance.now() - firstAt > duplicateSignalWindowMs) second.abort(signal);
    });
  }
  return { first, second };
};

const isBrokenPipe = (error: NodeJS.ErrnoException): boolean =>
  error.code === 'EPIPE' || error.code === 'ERR_STREAM_DESTROYED';
