// Preloaded by a test: one of Node's threads waits for somebody to write into a pipe, and nobody ever will.
import { readFile } from 'node:fs/promises';

readFile(process.env.STUCK_AT ?? '').catch(() => undefined);
