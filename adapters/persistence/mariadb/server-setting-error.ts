/** A setting of the server forbids the statement. Waiting does not help, so it is not unavailable. */
export class ServerSettingError extends Error {
  constructor(message: string, cause: unknown) {
    super(message, { cause });
    this.name = 'ServerSettingError';
  }
}
