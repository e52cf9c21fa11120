import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { folderNamed } from '../framework/exit-codes.ts';
import type { Terminal } from '../framework/terminal.ts';

/** A file that can be read more than once. */
export interface Input {
  /** Reads it from its beginning. */
  readonly read: () => Reading;
  readonly close: () => Promise<void>;
}

interface Reading {
  readonly chunks: AsyncGenerator<Uint8Array, void, undefined>;
  /** The share that has been read, from 0 to 1. */
  readonly share: () => number;
}

const chunkBytes = 64 * 1024;

/**
 * Opens a file; `-` is standard input. What is no regular file is copied to a temporary one first, which has no name and ends
 * with this process.
 * @param terminal its signal stops copying and reading: the next chunk is an error
 * @throws the system's error when the file cannot be opened
 */
export const openInput = async (file: string, terminal: Terminal): Promise<Input> => {
  const signal = terminal.interruptSignal();
  if (file === '-') return inputOf(await copyOf(terminal.stdin, signal), signal);
  const handle = await open(file);
  const stats = await handle.stat();
  if (stats.isDirectory()) {
    await handle.close();
    throw folderNamed(file);
  }
  return inputOf(stats.isFile() ? handle : await copyOf(handle.createReadStream(), signal), signal);
};

const inputOf = async (handle: FileHandle, signal: AbortSignal): Promise<Input> => {
  const { size } = await handle.stat();
  return {
    read: () => {
      let position = 0;
      const share = () => position / Math.max(size, 1);
      async function* chunks(): AsyncGenerator<Uint8Array, void, undefined> {
        for (;;) {
          signal.throwIfAborted();
          const { buffer, bytesRead } = await handle.read(
            Buffer.allocUnsafe(chunkBytes),
            0,
            chunkBytes,
            position,
          );
          if (bytesRead === 0) return;
          position += bytesRead;
          yield buffer.subarray(0, bytesRead);
        }
      }
      return { chunks: chunks(), share };
    },
    close: () => handle.close(),
  };
};

/** Readable by this user alone, and without a name before it is written: nothing remains of a process that is killed. */
const copyOf = async (source: Readable, signal: AbortSignal): Promise<FileHandle> => {
  const folder = await mkdtemp(join(tmpdir(), 'portico-import-'));
  const handle = await open(join(folder, 'copy'), 'wx+', 0o600).finally(() =>
    rm(folder, { recursive: true }),
  );
  try {
    // A write stream of the handle would have to be closed before it: `close` waits for it without end.
    const write = async (chunks: AsyncIterable<Uint8Array>): Promise<void> => {
      for await (const chunk of chunks) await handle.appendFile(chunk);
    };
    await pipeline(source, write, { signal });
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
};
