import { closeSync, openSync, writeSync } from 'node:fs';
import { expect } from 'chai';

/** Writes a file until its disk has no room left. */
export const fillDisk = (file: string): void => {
  const handle = openSync(file, 'w');
  try {
    for (;;) writeSync(handle, Buffer.alloc(4_096));
  } catch (error) {
    expect(error).to.include({ code: 'ENOSPC' });
  } finally {
    closeSync(handle);
  }
};
