import type { Writable } from 'node:stream';
import type { Environment } from '../../config/env-parser.ts';
import { written } from './write.ts';

/** How far some long work has come. */
interface Step {
  /** How many are done. */
  readonly done: number;
  /** What share of the whole that is, from 0 to 1, where it is known. */
  readonly share: number | undefined;
  /** What share had been passed over when the work began: it took no time. */
  readonly passedOver?: number;
  /** What is counted, such as `products`. */
  readonly of: string;
}

export interface Progress {
  show(step: Step): void;
  /** A line that has to be said meanwhile. Resolves when it is on its way. */
  aside(line: string): Promise<void>;
  end(): void;
}

interface Stream extends Writable {
  readonly columns?: number;
}

/** How often it is said, in milliseconds: a bar that moves, and lines that do not flood a log. */
const pauses = { bar: 100, line: 5_000 };

const barWidth = 24;

/** A bar is for terminals that can wipe a line. */
export const hasBar = ({ TERM }: Environment, isTerminal: boolean | undefined): boolean =>
  isTerminal === true && TERM !== 'dumb';

interface Manner {
  readonly isWanted: boolean;
  readonly isBar: boolean;
}

/** A bar where a person watches, a plain line every few seconds where a pipe does, and nothing where nobody wants it. */
export const progressOn = (
  stream: Stream,
  { isWanted, isBar }: Manner,
  now = () => performance.now(),
): Progress => {
  const began = now();
  let said = began;
  let line = '';

  const wipe = (): void => {
    if (line !== '') stream.write('\r\u001b[K');
  };

  return {
    show: (step) => {
      if (!isWanted || now() - said < (isBar ? pauses.bar : pauses.line)) return;
      said = now();
      const text = textOf(step, (said - began) / 1000, isBar);
      if (!isBar) {
        stream.write(`${text}\n`);
        return;
      }
      // What is wider than the window would break, and could not be wiped.
      line = text.slice(0, (stream.columns ?? 80) - 1);
      stream.write(`\r${line}\u001b[K`);
    },
    aside: (text) => {
      wipe();
      return written(stream, `${text}\n${line}`);
    },
    end: () => {
      wipe();
      line = '';
    },
  };
};

const textOf = ({ done, share, passedOver = 0, of }: Step, seconds: number, isBar: boolean): string => {
  const rate = done / Math.max(seconds, 0.001);
  const parts = [`${done.toLocaleString('en')} ${of}`, `${Math.round(rate).toLocaleString('en')} a second`];
  if (share === undefined) return parts.join(', ');
  const part = Math.min(Math.max(share, 0), 1);
  const worked = part - passedOver;
  if (worked > 0) parts.push(`${duration((seconds / worked) * (1 - part))} left`);
  const percent = `${Math.floor(part * 100)} %`.padStart(6);
  if (!isBar) return `${percent.trimStart()}: ${parts.join(', ')}`;
  const filled = Math.round(part * barWidth);
  return `[${'='.repeat(filled)}${' '.repeat(barWidth - filled)}]${percent}  ${parts.join(', ')}`;
};

const duration = (seconds: number): string =>
  seconds < 90 ? `${Math.ceil(seconds)} s` : `${Math.ceil(seconds / 60)} min`;
