import type { Writable } from 'node:stream';

/** How far some long work has come. */
interface Step {
  /** How many are done. */
  readonly done: number;
  /** What share of the whole that is, from 0 to 1, where it is known. */
  readonly share: number | undefined;
  /** What is counted, such as `products`. */
  readonly of: string;
}

export interface Progress {
  show(step: Step): void;
  /** A line that has to be said meanwhile. */
  aside(line: string): void;
  end(): void;
}

interface Stream extends Writable {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

/** How often it is said, in milliseconds: a bar that moves, and lines that do not flood a log. */
const pauses = { bar: 100, line: 5_000 };

const barWidth = 24;

/** A bar where a person watches, a plain line every few seconds where a pipe does, and nothing where nobody wants it. */
export const progressOn = (stream: Stream, isWanted: boolean, now = () => performance.now()): Progress => {
  const isBar = stream.isTTY === true;
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
      stream.write(`${text}\n`);
      if (line !== '') stream.write(line);
    },
    end: () => {
      wipe();
      line = '';
    },
  };
};

const textOf = ({ done, share, of }: Step, seconds: number, isBar: boolean): string => {
  const rate = done / Math.max(seconds, 0.001);
  const parts = [`${done.toLocaleString('en')} ${of}`, `${Math.round(rate).toLocaleString('en')} a second`];
  if (share === undefined) return parts.join(', ');
  const part = Math.min(Math.max(share, 0), 1);
  if (part > 0) parts.push(`${duration((seconds / part) * (1 - part))} left`);
  const percent = `${Math.floor(part * 100)} %`.padStart(6);
  if (!isBar) return `${percent.trimStart()}: ${parts.join(', ')}`;
  const filled = Math.round(part * barWidth);
  return `[${'='.repeat(filled)}${' '.repeat(barWidth - filled)}]${percent}  ${parts.join(', ')}`;
};

const duration = (seconds: number): string =>
  seconds < 90 ? `${Math.ceil(seconds)} s` : `${Math.ceil(seconds / 60)} min`;
