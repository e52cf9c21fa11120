// The thread in which costs are counted. V8 counts every call only of what is loaded behind the begin of the session.
import { parentPort, workerData } from 'node:worker_threads';
import { CallCounter } from './call-counter.ts';

const counter = await CallCounter.start();
const { countCosts } = await import('./count.ts');
parentPort?.postMessage(await countCosts(workerData, counter));
