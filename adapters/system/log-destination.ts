import sonicBoom from 'sonic-boom';

/**
 * Lines of requests are written together: in chunks of this size, or after this time. For each line sonic-boom measures the
 * chunk anew, so a longer one costs more than the writes that it saves.
 */
const chunkBytes = 4 * 1024;
const flushIntervalMs = 100;

/** How long the last lines may wait for a reader when the log is closed or the process exits. */
const closeTimeoutMs = 500;
const closeRetryMs = 10;

interface Options {
  /** Beyond this, lines are dropped and counted, so that a reader that stops cannot fill the memory. */
  readonly maxBufferedBytes?: number;
  /** Returns the line that is written in the place of so many dropped lines. */
  readonly missingLine: (count: number) => string;
}

export interface LogDestination {
  /** Writes a line now, after all lines that wait. */
  write(line: string): void;
  /** Writes a line together with others, within `flushIntervalMs`. */
  enqueue(line: string): void;
  /** The number of lines that were dropped. */
  readonly dropped: number;
  /** Writes what waits, and gives up after `closeTimeoutMs`. Later lines are written at once. */
  close(): Promise<void>;
}

/**
 * Writes lines to a file descriptor, in order. A full pipe, a reader that has gone or a full disk neither blocks nor ends the
 * process: lines wait, then are dropped and counted, and the next retry continues at the byte where the last one stopped.
 *
 * The stream writes from this thread (`sync`) and never sleeps on a full pipe (`retryEAGAIN`). With `sync: false` a chunk in
 * flight would be lost or out of order at exit, and `flushSync` retries a closed pipe and a full disk for ever.
 * @param file a file descriptor; a pipe must be in non-blocking mode
 */
export const openLogDestination = (
  file: number,
  { maxBufferedBytes = 4 * 1024 * 1024, missingLine }: Options,
): LogDestination => {
  let dropped = 0;
  let unreported = 0;
  let failure: NodeJS.ErrnoException | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  const stream = new sonicBoom.SonicBoom({
    ...{ fd: file, sync: true, minLength: chunkBytes - 1, maxWrite: chunkBytes, maxLength: maxBufferedBytes },
    retryEAGAIN: () => false,
  });
  stream.on('error', (error: NodeJS.ErrnoException) => {
    failure = error;
  });
  stream.on('drop', () => {
    dropped += 1;
    unreported += 1;
  });

  /** A flush keeps up to `minLength` bytes for the next one, so two are needed to write everything. */
  const flushOnce = (): void => {
    failure = undefined;
    stream.flush();
    if (failure === undefined) stream.flush();
  };

  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    flushOnce();
    if (failure === undefined && unreported > 0) {
      stream.write(missingLine(unreported));
      unreported = 0;
      flushOnce();
    }
    if (failure !== undefined) flushLater();
  };

  const flushLater = (): void => {
    if (!isClosed) timer ??= setTimeout(flush, flushIntervalMs).unref();
  };

  /** The last chance to write: it may block this thread, for no later code runs. */
  const flushAtExit = (): void => {
    const deadline = performance.now() + closeTimeoutMs;
    flush();
    while (failure !== undefined && isFull(failure) && performance.now() < deadline) {
      Atomics.wait(neverNotified, 0, 0, closeRetryMs);
      flush();
    }
  };
  process.once('exit', flushAtExit);

  return {
    write: (line) => {
      stream.write(line);
      // While the destination fails, only the timer retries: each attempt costs an exception.
      if (timer === undefined || failure === undefined) flush();
    },
    enqueue: (line) => {
      stream.write(line);
      if (isClosed) flush();
      else flushLater();
    },
    get dropped() {
      return dropped;
    },
    close: async () => {
      const deadline = performance.now() + closeTimeoutMs;
      flush();
      while (failure !== undefined && performance.now() < deadline) {
        await new Promise((resolve) => setTimeout(resolve, closeRetryMs));
        flush();
      }
      isClosed = true;
      clearTimeout(timer);
      process.off('exit', flushAtExit);
    },
  };
};

const isFull = ({ code }: NodeJS.ErrnoException): boolean => code === 'EAGAIN' || code === 'EBUSY';

const neverNotified = new Int32Array(new SharedArrayBuffer(4));
