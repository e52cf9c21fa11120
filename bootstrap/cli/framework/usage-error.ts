/** A command line that makes no sense. The message is the one line that whoever wrote it reads. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
}
