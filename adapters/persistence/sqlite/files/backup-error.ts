/** Why there is no copy, in one line for the person who wanted it. */
export class BackupError extends Error {
  constructor(line: string, cause?: unknown) {
    super(line, { cause });
    this.name = 'BackupError';
  }
}
