/** How a command ended, for the script that ran it. */
export const exitCodes = {
  success: 0,
  failure: 1,
  /** A command, option or value, or the header of a CSV file, is invalid. Nothing was changed. */
  usage: 2,
  /** Everything was done except what was reported. */
  partial: 3,
  /** 128 plus the number of the signal, the convention of shells. */
  interrupted: 130,
  terminated: 143,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** The exit code of a command that a signal stopped. */
export const exitCodeForSignal = ({ reason }: AbortSignal): ExitCode =>
  reason === 'SIGINT' ? exitCodes.interrupted : exitCodes.terminated;

/** An invalid command line. The message is the line that its author reads. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
}

/** The error for a folder in place of a file. */
export const folderNamed = (path: string): UsageError => new UsageError(`${path} is a folder. Name a file.`);
