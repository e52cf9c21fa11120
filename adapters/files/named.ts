/** Rejects with the system's error as it is, but for the name of the file: the one that somebody has written, and no other. */
export const rejectNaming = (path: string, error: unknown): never => {
  throw error instanceof Error ? Object.assign(error, { path }) : error;
};
