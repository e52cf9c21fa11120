/** How a command ended, for the script that ran it. */
export const exitCodes = {
  done: 0,
  failed: 1,
  /** The command line itself makes no sense, or the columns of a file do not. Nothing was done. */
  misused: 2,
  /** All was done but what was reported. */
  partlyDone: 3,
  /** 128 and the number of the signal, as shells have it. */
  interrupted: 130,
  terminated: 143,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** How a command ends that was interrupted. */
export const exitCodeOf = ({ reason }: AbortSignal): ExitCode =>
  reason === 'SIGINT' ? exitCodes.interrupted : exitCodes.terminated;
