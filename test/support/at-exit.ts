import type { ChildProcess } from 'node:child_process';
import { constants } from 'node:os';

const callbacks = new Set<() => void>();

process.once('exit', () => {
  // What was started last uses what was started before it.
  for (const callback of [...callbacks].reverse()) {
    try {
      callback();
    } catch (error) {
      console.error(error);
    }
  }
});

/**
 * Calls it when this process exits, those of later calls first. It must not wait for the event loop.
 * @returns what revokes the call
 */
export const atExit = (callback: () => void): (() => void) => {
  callbacks.add(callback);
  return () => void callbacks.delete(callback);
};

/** Kills a process when this one exits. */
export const killAtExit = (child: ChildProcess): void => {
  child.once(
    'exit',
    atExit(() => void child.kill('SIGKILL')),
  );
};

/**
 * Makes this process exit at a signal. Without it a signal ends the process before `atExit` has called anything, and so would the
 * second one that npm and a terminal send.
 */
export const exitAtSignals = (): void => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => process.exit(128 + constants.signals[signal]));
};
