import { Session } from 'node:inspector/promises';
import { fileURLToPath } from 'node:url';

/** Counts calls of functions in this thread, by V8's precise coverage. */
export class CallCounter {
  readonly #session: Session;

  private constructor(session: Session) {
    this.#session = session;
  }

  /**
   * V8 runs this thread without optimization from now on. It counts each call of a function that is loaded later; one that was called
   * before, only once it has been called often.
   */
  static async start(): Promise<CallCounter> {
    const session = new Session();
    session.connect();
    await session.post('Profiler.enable');
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
    return new CallCounter(session);
  }

  /** @returns how often each function was called since the last time, by the path of its file and its place there */
  async takeCalls(): Promise<ReadonlyMap<string, number>> {
    const { result } = await this.#session.post('Profiler.takePreciseCoverage');
    const calls = new Map<string, number>();
    for (const { url, functions } of result) {
      if (!url.startsWith('file:')) continue;
      const file = fileURLToPath(url);
      for (const { functionName, ranges } of functions) {
        const { startOffset = 0, count = 0 } = ranges[0] ?? {};
        // The body of a module is a function without a name that begins with the file.
        const isModule = functionName === '' && startOffset === 0;
        if (count > 0 && !isModule) calls.set(`${file}#${startOffset}`, count);
      }
    }
    return calls;
  }
}
