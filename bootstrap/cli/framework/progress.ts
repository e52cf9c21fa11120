import type { Writable } from 'node:stream';
import type { Environment } from '../../config/env-parser.ts';

interface ProgressUpdate {
  /** Items processed by this command. */
  readonly done: number;
  /** Processed share of the whole, from 0 to 1; undefined while the whole is unknown. */
  readonly share: number | undefined;
  /** Share that was skipped at the beginning. It took no time, so the estimate leaves it out. */
  readonly skippedShare?: number;
  /** What is counted, such as `products`. */
  readonly unit: string;
}

export interface Progress {
  update(update: ProgressUpdate): void;
  /** Prints a line without breaking the bar. Resolves when the stream has accepted it. */
  printAbove(line: string): Promise<void>;
  end(): void;
}

interface Stream extends Writable {
  readonly columns?: number;
}

/** Minimum time between two updates, in milliseconds: a bar should move, lines should not flood a log. */
const updateIntervalMs = { bar: 100, line: 5_000 };

const barWidth = 24;

/** Whether the terminal can clear a line, which a bar needs. */
export const supportsBar = ({ TERM }: Environment, isTerminal: boolean | undefined): boolean =>
  isTerminal === true && TERM !== 'dumb';

interface Options {
  readonly isEnabled: boolean;
  /** Whether to draw a bar; otherwise progress is a plain line every few seconds. */
  readonly isBar: boolean;
}

/** @param now a monotonic clock, in milliseconds */
export const createProgress = (
  stream: Stream,
  { isEnabled, isBar }: Options,
  now = () => performance.now(),
): Progress => {
  const startedAt = now();
  let updatedAt = startedAt;
  let line = '';

  const clearLine = (): void => {
    if (line !== '') stream.write('\r\u001b[K');
  };

  return {
    update: (update) => {
      if (!isEnabled || now() - updatedAt < (isBar ? updateIntervalMs.bar : updateIntervalMs.line)) return;
      updatedAt = now();
      const text = renderProgress(update, (updatedAt - startedAt) / 1000, isBar);
      if (!isBar) {
        stream.write(`${text}\n`);
        return;
      }
      // A line wider than the window would wrap, and clearing removes only its last row.
      line = text.slice(0, (stream.columns ?? 80) - 1);
      stream.write(`\r${line}\u001b[K`);
    },
    printAbove: (text) => {
      clearLine();
      return write(stream, `${text}\n${line}`);
    },
    end: () => {
      clearLine();
      line = '';
    },
  };
};

/** Resolves when the stream accepts more, and also when its reader is gone. */
export const write = (stream: Writable, text: string): Promise<void> =>
  new Promise((resolve) => {
    stream.write(text, () => resolve());
  });

const renderProgress = (
  { done, share, skippedShare = 0, unit }: ProgressUpdate,
  seconds: number,
  isBar: boolean,
): string => {
  const rate = Math.round(done / Math.max(seconds, 0.001));
  const parts = [`${done.toLocaleString('en')} ${unit}`, `${rate.toLocaleString('en')}/s`];
  if (share === undefined) return parts.join(', ');
  const fraction = Math.min(Math.max(share, 0), 1);
  const worked = fraction - skippedShare;
  if (worked > 0) parts.push(`${formatDuration((seconds / worked) * (1 - fraction))} left`);
  const percent = `${Math.floor(fraction * 100)} %`.padStart(6);
  if (!isBar) return `${percent.trimStart()}: ${parts.join(', ')}`;
  const filled = Math.round(fraction * barWidth);
  return `[${'='.repeat(filled)}${' '.repeat(barWidth - filled)}]${percent}  ${parts.join(', ')}`;
};

const formatDuration = (seconds: number): string =>
  seconds < 90 ? `${Math.ceil(seconds)} s` : `${Math.ceil(seconds / 60)} min`;
