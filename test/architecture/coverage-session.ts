import { once } from 'node:events';
import { Session } from 'node:inspector';
import { fileURLToPath } from 'node:url';

/** The parts of V8's precise coverage that are read here. */
interface ScriptCoverage {
  readonly url: string;
  readonly functions: readonly {
    readonly functionName: string;
    readonly ranges: readonly { readonly startOffset: number; readonly count: number }[];
  }[];
}

/** An inspector, in this process or another. */
interface Inspector {
  call(method: string, params: object): Promise<unknown>;
  close(): void;
}

/** Counts calls of functions, in this thread or in another process. */
export class CoverageSession {
  readonly #inspector: Inspector;

  private constructor(inspector: Inspector) {
    this.#inspector = inspector;
  }

  /**
   * Of another Node process, which was started with `--inspect`.
   * @param address of its inspector
   */
  static async open(address: string): Promise<CoverageSession> {
    const socket = new WebSocket(address);
    await once(socket, 'open');
    return CoverageSession.#start(remoteInspector(socket));
  }

  /**
   * Of this thread, which V8 runs without optimization until the session is closed. It counts each call of a function that is loaded
   * later; one that was called before, only once it has been called often.
   */
  static ofThisThread(): Promise<CoverageSession> {
    return CoverageSession.#start(ownInspector());
  }

  static async #start(inspector: Inspector): Promise<CoverageSession> {
    await inspector.call('Profiler.enable', {});
    await inspector.call('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
    return new CoverageSession(inspector);
  }

  /** @returns how often each function was called since the last time, by the path of its file and its place there */
  async takeCalls(): Promise<ReadonlyMap<string, number>> {
    const { result } = (await this.#inspector.call('Profiler.takePreciseCoverage', {})) as {
      readonly result: readonly ScriptCoverage[];
    };
    const calls = new Map<string, number>();
    for (const { url, functions } of result) {
      if (!url.startsWith('file:')) continue;
      const file = fileURLToPath(url);
      for (const one of functions.filter(isNoModule)) {
        const { startOffset = 0, count = 0 } = one.ranges[0] ?? {};
        if (count > 0) calls.set(`${file}#${startOffset}`, count);
      }
    }
    return calls;
  }

  /** @returns paths of the files of which at least one function has been called since the last time */
  async takeFiles(): Promise<string[]> {
    return [
      ...new Set([...(await this.takeCalls()).keys()].map((name) => name.slice(0, name.lastIndexOf('#')))),
    ];
  }

  async close(): Promise<void> {
    await this.#inspector.call('Profiler.stopPreciseCoverage', {});
    this.#inspector.close();
  }
}

/** The body of a module is a function without a name that begins with the file. */
const isNoModule = ({ functionName, ranges: [range] }: ScriptCoverage['functions'][number]): boolean =>
  !(functionName === '' && range?.startOffset === 0);

const ownInspector = (): Inspector => {
  const session = new Session();
  session.connect();
  return {
    call: (method, params) =>
      new Promise((resolve, reject) => {
        session.post(method, params, (error, result) => (error === null ? resolve(result) : reject(error)));
      }),
    close: () => session.disconnect(),
  };
};

const remoteInspector = (socket: WebSocket): Inspector => {
  let sent = 0;
  return {
    call: (method, params) => {
      sent += 1;
      const id = sent;
      const { promise, resolve, reject } = Promise.withResolvers<unknown>();
      const listen = ({ data }: MessageEvent): void => {
        const message = JSON.parse(data);
        if (message.id !== id) return;
        socket.removeEventListener('message', listen);
        if (message.error === undefined) resolve(message.result);
        else reject(new Error(`${method} failed: ${message.error.message}`));
      };
      socket.addEventListener('message', listen);
      socket.send(JSON.stringify({ id, method, params }));
      return promise;
    },
    close: () => socket.close(),
  };
};
