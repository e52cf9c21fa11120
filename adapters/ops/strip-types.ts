import { stripTypeScriptTypes } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';

// A thread of its own, because Node warns of this function, and the warning can be switched off for a whole thread only.
parentPort?.postMessage((workerData as readonly string[]).map((source) => stripTypeScriptTypes(source)));
