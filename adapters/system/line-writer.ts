import { fstatSync, write, writeSync } from 'node:fs';
import { WaitingLines } from './waiting-lines.ts';

/** Lines that wait for so many bytes, or for so many milliseconds, are written in one go. */
const worthWriting = 256 * 1024;
const pause = 100;

/** After how long a destination that is full, or that refused, is tried again, in milliseconds. */
const patience = { full: 20, refused: 1_000 };

/** How long the last lines may take, in milliseconds, once there will be no later. */
const farewell = 500;

interface Options {
  /** How many bytes may wait at the most. Beyond, lines are dropped: a service that serves matters more. */
  readonly most?: number;
  /** What is written once there is room again: how many lines are missing. */
  readonly missing: (lines: number) => string;
}

export interface LineWriter {
  /** Writes a line, and all that wait before it, as soon as may be. */
  write(line: string): void;
  /** Writes a line with others, soon. */
  gather(line: string): void;
  /** Lines that nobody will ever read. */
  readonly dropped: number;
  /** Writes what waits, in a while at the most. Whatever comes afterwards is written at once. */
  close(): Promise<void>;
}

/**
 * Writes lines to a file descriptor, in their order. Nobody ever waits for that: not when a pipe is full, not when whoever
 * read it has gone, not when the disk is full. Then lines wait, and at last are dropped and counted; once there is room
 * again, it goes on at the very character where it stopped.
 */
export const lineWriter = (file: number, { most = 4 * 1024 * 1024, missing }: Options): LineWriter => {
  const put = putTo(file);
  const waiting = new WaitingLines();
  let dropped = 0;
  let untold = 0;
  /** What is being written, from where on. */
  let current: Buffer = Buffer.alloc(0);
  let state: 'idle' | 'writing' | 'held up' = 'idle';
  /** Whether something that came while others were written is not to wait any longer than for them. */
  let isUrgent = false;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  let whenIdle: (() => void) | undefined;

  const take = (line: string): void => {
    if (waiting.length + line.length <= most) {
      waiting.add(line);
    } else {
      dropped += 1;
      untold += 1;
    }
  };

  const pass = (): void => {
    if (state !== 'idle') {
      isUrgent = true;
      return;
    }
    clearTimeout(timer);
    timer = undefined;
    isUrgent = false;
    if (waiting.length === 0) {
      whenIdle?.();
      return;
    }
    current = next();
    writeSome();
  };

  const next = (): Buffer => {
    if (untold > 0) waiting.add(missing(untold));
    untold = 0;
    return waiting.take();
  };

  const writeSome = (): void => {
    state = 'writing';
    put(current, (error, count) => {
      if (error) {
        state = 'held up';
        if (!isClosed)
          timer = setTimeout(writeSome, isFull(error) ? patience.full : patience.refused).unref();
        return;
      }
      current = current.subarray(count);
      if (current.length > 0) {
        writeSome();
        return;
      }
      state = 'idle';
      waiting.giveBack();
      if (isUrgent || whenIdle || waiting.length >= worthWriting) pass();
      else if (waiting.length > 0) passSoon();
    });
  };

  /** What has come while others were written waits as they did: else each of them would be written by itself, and for ever. */
  const passSoon = (): void => {
    timer ??= setTimeout(pass, pause).unref();
  };

  /** For the very end: nothing of this process will ever run again. What the disk is at, it finishes. */
  const finish = (): void => {
    // Once it is closed, its number may be that of something else.
    clearTimeout(timer);
    const inHand = state === 'held up' ? current : Buffer.alloc(0);
    const last = waiting.length === 0 ? inHand : Buffer.concat([inHand, next()]);
    if (state === 'held up') state = 'idle';
    writeAll(file, last);
  };
  process.once('exit', finish);

  return {
    write: (line) => {
      take(line);
      if (isClosed) finish();
      else pass();
    },
    gather: (line) => {
      take(line);
      if (isClosed) finish();
      else if (waiting.length >= worthWriting) pass();
      else if (state === 'idle') passSoon();
    },
    get dropped() {
      return dropped;
    },
    close: async () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      whenIdle = resolve;
      const cutOff = setTimeout(resolve, farewell);
      pass();
      await promise;
      clearTimeout(cutOff);
      whenIdle = undefined;
      process.off('exit', finish);
      isClosed = true;
      finish();
    },
  };
};

type Put = (bytes: Buffer, then: (error: Error | null, count: number) => void) => void;

/**
 * A disk may take its time, so nobody waits for it here. Pipes, sockets and terminals take what they have room for at once,
 * and what they have taken is then known, should the process end now.
 */
const putTo = (file: number): Put => {
  if (fstatSync(file).isFile()) return (bytes, then) => write(file, bytes, then);
  return (bytes, then) => {
    let count = 0;
    let failure: Error | null = null;
    try {
      count = writeSync(file, bytes);
    } catch (error) {
      failure = error as Error;
    }
    then(failure, count);
  };
};

const isFull = ({ code }: NodeJS.ErrnoException): boolean => code === 'EAGAIN' || code === 'EBUSY';

const nothing = new Int32Array(new SharedArrayBuffer(4));

/** As much as there is room for, within a while. */
const writeAll = (file: number, bytes: Buffer): void => {
  const deadline = performance.now() + farewell;
  let rest = bytes;
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(file, rest));
    } catch (error) {
      if (!isFull(error as NodeJS.ErrnoException) || performance.now() > deadline) return;
      Atomics.wait(nothing, 0, 0, 1);
    }
  }
};
