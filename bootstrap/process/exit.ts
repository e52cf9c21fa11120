import { setTimeout as delay } from 'node:timers/promises';

/** How long to wait for work in Node's thread pool. */
const threadTimeoutMs = 1_000;

/** File operations and name look-ups run in the thread pool, where a hanging file system or name server can block them. */
const threadPoolWork = /^(FSReq|GetAddrInfoReq|GetNameInfoReq)/;

const threadsAreBusy = (): boolean =>
  process.getActiveResourcesInfo().some((name) => threadPoolWork.test(name));

/**
 * Ends the process. `process.exit` waits for the thread pool without limit; if a thread hangs, the process kills itself after
 * its exit listeners have run.
 */
export const exitProcess = async (code: number): Promise<never> => {
  const deadline = performance.now() + threadTimeoutMs;
  while (threadsAreBusy() && performance.now() < deadline) await delay(10);
  if (threadsAreBusy()) process.once('exit', () => process.kill(process.pid, 'SIGKILL'));
  process.exit(code);
};
