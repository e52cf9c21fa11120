import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startFlags } from '../support/start-flags.ts';

const program = fileURLToPath(new URL('../../bootstrap/main.mjs', import.meta.url));

interface Options {
  readonly name: string;
  readonly port: number;
  /** Where its metrics are. */
  readonly opsPort: number;
  /** Where it receives webhooks. */
  readonly eventsPort: number;
  readonly environment: Readonly<Record<string, string>>;
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
  #child: ChildProcess | undefined;
  #startedAt = 0;
  #isWanted = false;
  #isReady = false;
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

  /** Resolves when it serves, after one or more starts. */
  get ready(): Promise<void> {
    return this.#ready.promise;
  }

  start(): void {
    this.#isWanted = true;
    const log = openSync(this.log, 'a');
    const { environment, folder: cwd } = this.#options;
    const child = spawn(process.execPath, [...startFlags, program], {
      cwd,
      env: environment,
      stdio: ['ignore', 'pipe', log],
    });
    closeSync(log);
    this.#child = child;
    this.#startedAt = performance.now();
    child.stdout?.once('data', () => {
      if (this.#child !== child) return;
      this.#isReady = true;
      this.#ready.resolve();
    });
    child.once('exit', (code, signal) => {
      if (this.#child === child) this.#restart(`code ${code}, signal ${signal}`);
    });
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
    const child = this.#child;
    this.#isWanted = false;
    if (child === undefined) return;
    const ended = once(child, 'exit');
    this.#markStopped();
    child.kill(signal);
    await ended;
  }

  #markStopped(): void {
    this.#child = undefined;
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
