import { writeSync } from 'node:fs';

let isExpected = false;

/** Called before Portico itself ends the process. */
export const expectExit = (): void => {
  isExpected = true;
};

/**
 * Guards code from outside that may end the process: then a line is printed, and the exit code is not 0.
 * @returns ends the guard
 */
export const guardExit = (line: string): (() => void) => {
  const report = (): void => {
    if (isExpected) return;
    process.exitCode ||= 1;
    writeSync(process.stderr.fd, `portico: ${line}\n`);
  };
  process.once('exit', report);
  return () => process.off('exit', report);
};
