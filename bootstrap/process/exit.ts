import { setTimeout as pause } from 'node:timers/promises';

/** How long the threads may take for what they are at, in milliseconds. */
const threadTimeoutMs = 1_000;

/** Files, and names that are looked up: what Node gives to threads, and may not come back from a system that hangs. */
const threaded = /^(FSReq|GetAddrInfoReq|GetNameInfoReq)/;

const threadsAreBusy = (): boolean => process.getActiveResourcesInfo().some((name) => threaded.test(name));

/**
 * Ends the process. Node waits for its threads then, for ever if need be, and nothing of ours runs any more; where one of
 * them does not come back, the process is killed after all else.
 */
export const exitProcess = async (code: number): Promise<never> => {
  const giveUp = performance.now() + threadTimeoutMs;
  while (threadsAreBusy() && performance.now() < giveUp) await pause(10);
  if (threadsAreBusy()) process.once('exit', () => process.kill(process.pid, 'SIGKILL'));
  process.exit(code);
};
