import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** The parts of V8's precise coverage that are read here. */
interface ScriptCoverage {
  readonly url: string;
  readonly functions: readonly {
    readonly functionName: string;
    readonly ranges: readonly { readonly startOffset: number; readonly count: number }[];
  }[];
}

/** Counts calls in another Node process, which was started with `--inspect`. */
export class CoverageSession {
  readonly #socket: WebSocket;
  #sent = 0;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
  }

  /** @param errors standard error of the process, where Node writes the address of its inspector */
  static async open(errors: string): Promise<CoverageSession> {
    const [address] = /ws:\/\/\S+/.exec(errors) ?? [];
    if (address === undefined) throw new Error(`The process has no inspector: ${errors}`);
    const socket = new WebSocket(address);
    await once(socket, 'open');
    const session = new CoverageSession(socket);
    await session.#call('Profiler.enable');
    await session.#call('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
    return session;
  }

  /** @returns paths of the files of which at least one function has been called since the last time */
  async takeFiles(): Promise<string[]> {
    const { result } = (await this.#call('Profiler.takePreciseCoverage')) as {
      readonly result: readonly ScriptCoverage[];
    };
    return result
      .filter(({ url, functions }) => url.startsWith('file:') && functions.some(wasCalled))
      .map(({ url }) => fileURLToPath(url));
  }

  close(): void {
    this.#socket.close();
  }

  #call(method: string, params: object = {}): Promise<unknown> {
    this.#sent += 1;
    const id = this.#sent;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const listen = ({ data }: MessageEvent): void => {
      const message = JSON.parse(data);
      if (message.id !== id) return;
      this.#socket.removeEventListener('message', listen);
      if (message.error === undefined) resolve(message.result);
      else reject(new Error(`${method} failed: ${message.error.message}`));
    };
    this.#socket.addEventListener('message', listen);
    this.#socket.send(JSON.stringify({ id, method, params }));
    return promise;
  }
}

/** The body of a module is a function without a name that begins with the file. */
const wasCalled = ({ functionName, ranges: [range] }: ScriptCoverage['functions'][number]): boolean =>
  range !== undefined && range.count > 0 && !(functionName === '' && range.startOffset === 0);
