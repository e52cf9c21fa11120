import { median } from '../../lab/statistics.ts';
import { Metrics } from '../../support/metrics.ts';

const megabyte = 1024 * 1024;

/** A look at a server that runs. */
export interface Sample {
  /** Since the load began. */
  readonly seconds: number;
  readonly orders: number;
  /** Resident, in MB. */
  readonly memory: number;
  /** The used part of the JavaScript heap, in MB. */
  readonly heap: number;
  /** Orders whose events have not arrived yet, by receiver. */
  readonly missing: readonly number[];
  /** Events that are not enqueued for the dead endpoint. */
  readonly lag: number;
  /** Deliveries to the dead endpoint of which no attempt was made. */
  readonly untried: number;
}

/** @param endpoint the dead one */
export const measure = async (
  opsPort: number,
  endpoint: string,
): Promise<Pick<Sample, 'memory' | 'heap' | 'lag'>> => {
  const metrics = await Metrics.of(`http://127.0.0.1:${opsPort}`);
  return {
    memory: metrics.value('process_resident_memory_bytes') / megabyte,
    heap: metrics.value('nodejs_heap_size_used_bytes') / megabyte,
    lag: metrics.value('portico_webhook_lag_events', { endpoint }),
  };
};

const widths = [6, 9, 9, 9, 11, 11, 10, 9];

const line = (cells: readonly (string | number)[]): string =>
  cells.map((cell, column) => String(cell).padStart(widths[column] ?? 8)).join('');

export const head = line([
  's',
  'orders',
  'RSS MB',
  'heap MB',
  'missing 1',
  'missing 2',
  'dead lag',
  'untried',
]);

export const row = ({ seconds, orders, memory, heap, missing, lag, untried }: Sample): string =>
  line([seconds.toFixed(0), orders, memory.toFixed(0), heap.toFixed(0), ...missing, lag, untried]);

/**
 * The growth of memory once the first third of the time has passed, as a share: from the middle third to the last one. The heap is
 * compared where it is lowest, which is soon after a collection.
 */
export const growth = (samples: readonly Sample[]): { readonly memory: number; readonly heap: number } => {
  const third = Math.floor(samples.length / 3);
  const [middle, last] = [samples.slice(third, 2 * third), samples.slice(-third)];
  const ratio = (of: (part: readonly Sample[]) => number): number => of(last) / of(middle) - 1;
  return {
    memory: ratio((part) => median(part.map(({ memory }) => memory))),
    heap: ratio((part) => Math.min(...part.map(({ heap }) => heap))),
  };
};
