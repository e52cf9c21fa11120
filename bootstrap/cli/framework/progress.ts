import type { Writable } from 'node:stream';
import type { Environment } from '../../config/env-parser.ts';

interface ProgressUpdate {
  /** Items processed by this command. */
  readonly done: number;
  /** Processed share of the whole, from 0 to 1; undefined while the whole is unknown. */
  readonly share: number | undefined;
  /** Share that was skipped at the beginning. It needed no time, so the estimate omits it. */
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

const maxBarWidth = 24;

/** Shorter bars show nothing that the percentage beside them does not. */
const minBarWidth = 4;

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
      // A terminal whose width is unknown reports 0.
      const room = (stream.columns || 80) - 1;
      const text = renderProgress(update, (updatedAt - startedAt) / 1000, isBar ? room : undefined);
      if (!isBar) {
        stream.write(`${text}\n`);
        return;
      }
      // A line wider than the window would wrap, and clearing removes only its last row.
      line = text.slice(0, room);
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

/** @param room for a bar with what stands beside it, in characters; undefined for a line without one */
const renderProgress = (
  { done, share, skippedShare = 0, unit }: ProgressUpdate,
  seconds: number,
  room: number | undefined,
): string => {
  const rate = Math.round(done / Math.max(seconds, 0.001));
  const parts = [`${done.toLocaleString('en')} ${unit}`, `${rate.toLocaleString('en')}/s`];
  if (share === undefined) return parts.join(', ');
  const fraction = Math.min(Math.max(share, 0), 1);
  const worked = fraction - skippedShare;
  if (worked > 0) parts.push(`${formatDuration((seconds / worked) * (1 - fraction))} left`);
  const percent = `${Math.floor(fraction * 100)} %`;
  if (room === undefined) return `${percent}: ${parts.join(', ')}`;
  return `${renderBar(fraction, percent.padStart(6), room)}  ${parts.join(', ')}`;
};

/** A bar with its percentage, which a narrow window shows rather than the bar. */
const renderBar = (fraction: number, percent: string, room: number): string => {
  const width = Math.min(maxBarWidth, room - '[]'.length - percent.length);
  if (width < minBarWidth) return percent.trimStart();
  const filled = Math.round(fraction * width);
  return `[${'='.repeat(filled)}${' '.repeat(width - filled)}]${percent}`;
};

const formatDuration = (seconds: number): string =>
  seconds < 90 ? `${Math.ceil(seconds)} s` : `${Math.ceil(seconds / 60)} min`;
