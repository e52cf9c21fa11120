// Preloaded by a test: a thread of Node's pool reads from a pipe that no process ever writes to.
import { readFile } from 'node:fs/promises';

readFile(process.env.STUCK_AT ?? '').catch(() => undefined);
