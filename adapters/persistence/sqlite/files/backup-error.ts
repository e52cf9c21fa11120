/** Why no backup was made, in one line for the operator. It loads no driver, so that the command line can recognise it. */
export class BackupError extends Error {
  constructor(line: string, cause?: unknown) {
    super(line, { cause });
    this.name = 'BackupError';
  }
}
