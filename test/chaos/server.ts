import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { ServerProcess } from '../lab/judge/events/evidence.ts';
import { Program } from '../lab/program.ts';
import { startFlags } from '../support/start-flags.ts';

/** How late the end of a process may be seen, in milliseconds. */
const lateKillMs = 500;

interface Options {
  readonly name: string;
  readonly port: number;
  /** Where its metrics are. */
  readonly opsPort: number;
  /** Where it receives webhooks. */
  readonly eventsPort: number;
  readonly environment: Readonly<Record<string, string>>;
  /** Settings of one process. */
  readonly environmentOf?: (process: string) => Readonly<Record<string, string>>;
  /** Its working directory, which also holds its log. */
  readonly folder: string;
  /** Called when the server ends unexpectedly. */
  readonly onUnexpectedExit: (detail: string) => void;
}

/** A server that can be killed and started again, always on the same port, as `npm start` would start it. */
export class Server {
  readonly name: string;
  readonly port: number;
  readonly opsPort: number;
  readonly eventsUrl: string;
  readonly log: string;
  /** The requests of our clients that are in flight. */
  inFlight = 0;
  readonly #options: Options;
  #program: Program | undefined;
  #startedAt = 0;
  readonly #lives: ServerProcess[] = [];
  #isWanted = false;
  #isReady = false;
  #mayBeKilled = false;
  #ready: PromiseWithResolvers<void> = Promise.withResolvers();
  readonly #awaitingRequest = new Set<() => void>();

  constructor(options: Options) {
    this.#options = options;
    this.name = options.name;
    this.port = options.port;
    this.opsPort = options.opsPort;
    this.eventsUrl = `http://127.0.0.1:${options.eventsPort}/provider-events`;
    this.log = join(options.folder, `${options.name}.log`);
  }

  get isReady(): boolean {
    return this.#isReady;
  }

  /** Milliseconds since its latest start. */
  get age(): number {
    return Math.round(performance.now() - this.#startedAt);
  }

  /** Its processes, one after the other. */
  get lives(): readonly Readonly<ServerProcess>[] {
    return this.#lives;
  }

  /** Resolves when it serves, after one or more starts. */
  get ready(): Promise<void> {
    return this.#ready.promise;
  }

  /** @param settings other than those that it has by default */
  start(settings: Readonly<Record<string, string>> = {}): void {
    this.#isWanted = true;
    const { environment, environmentOf, folder } = this.#options;
    const processName = `${this.name}-${this.#lives.length + 1}`;
    const life: ServerProcess = { process: processName, from: Date.now() };
    this.#lives.push(life);
    const program = new Program('bootstrap/main.mjs', {
      ...{ folder, flags: startFlags, errorsFile: this.log },
      environment: { ...environment, ...environmentOf?.(processName), ...settings },
      onOutput: () => {
        if (this.#program !== program || this.#isReady) return;
        life.servingFrom = Date.now();
        this.#isReady = true;
        this.#ready.resolve();
      },
    });
    this.#program = program;
    this.#startedAt = performance.now();
    void program.exited.then(({ code, signal }) => {
      life.to = Date.now();
      if (this.#program !== program) return;
      if (this.#mayBeKilled && signal === 'SIGKILL') this.#markStopped();
      else this.#restart(`code ${code}, signal ${signal}`);
    });
  }

  /** Its process, while it runs. */
  get pid(): number | undefined {
    return this.#program?.id;
  }

  /**
   * Lets another program kill it, after which it is not started again.
   * @param work resolves with whether it was killed
   */
  async whileItMayBeKilled(work: () => Promise<boolean>): Promise<boolean> {
    const ended = this.#program?.exited;
    this.#mayBeKilled = true;
    const isKilled = await work();
    // The tracer may miss a kill while it detaches.
    await (isKilled ? ended : Promise.race([ended, pause(lateKillMs)]));
    this.#mayBeKilled = false;
    return this.#program === undefined;
  }

  /** Kills the process, without a graceful shutdown. Resolves when it has ended. */
  kill(): Promise<void> {
    return this.#end('SIGKILL');
  }

  /** Stops it gracefully. */
  stop(): Promise<void> {
    return this.#end('SIGTERM');
  }

  /** Resolves when a payment, refund or erasure has just been sent to it. */
  nextRequest(): Promise<void> {
    return new Promise((resolve) => this.#awaitingRequest.add(resolve));
  }

  /** To be called for each payment, refund and erasure that is sent to it. */
  requestSent(): void {
    for (const resolve of this.#awaitingRequest) resolve();
    this.#awaitingRequest.clear();
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const program = this.#program;
    this.#isWanted = false;
    if (program === undefined) return;
    this.#markStopped();
    program.signal(signal);
    await program.exited;
  }

  #markStopped(): void {
    this.#program = undefined;
    if (this.#isReady) this.#ready = Promise.withResolvers();
    this.#isReady = false;
  }

  #restart(how: string): void {
    this.#markStopped();
    this.#options.onUnexpectedExit(
      `${this.name} ended with ${how} after ${this.age} ms; its log is ${this.log}`,
    );
    // One that cannot even start would otherwise be started as often as the machine can.
    setTimeout(() => this.#isWanted && this.start(), 500);
  }
}
