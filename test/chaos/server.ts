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
  readonly environment: Readonly<Record<string, string>>;
  /** Where it runs, and its log is. */
  readonly folder: string;
  /** Called when the server ends unexpectedly. */
  readonly died: (detail: string) => void;
}

/** A server that can be killed and started again, always on the same port, as `npm start` would start it. */
export class Server {
  readonly name: string;
  readonly port: number;
  readonly log: string;
  /** How many requests of our clients it has not answered yet. */
  underWay = 0;
  readonly #options: Options;
  #child: ChildProcess | undefined;
  #startedAt = 0;
  #isWanted = false;
  #isReady = false;
  #ready: PromiseWithResolvers<void> = Promise.withResolvers();
  readonly #awaitingPayment = new Set<() => void>();

  constructor(options: Options) {
    this.#options = options;
    this.name = options.name;
    this.port = options.port;
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
      if (this.#child === child) this.#startAgain(`code ${code}, signal ${signal}`);
    });
  }

  /** Resolves when it is gone. Nothing is asked of it first: that is the point. */
  kill(): Promise<void> {
    return this.#end('SIGKILL');
  }

  /** Lets it end as an operator would. */
  stop(): Promise<void> {
    return this.#end('SIGTERM');
  }

  /** Resolves when a payment or refund has just been sent to it. */
  nextPayment(): Promise<void> {
    return new Promise((resolve) => this.#awaitingPayment.add(resolve));
  }

  /** To be called for each payment and refund that is sent to it. */
  paymentSent(): void {
    for (const resolve of this.#awaitingPayment) resolve();
    this.#awaitingPayment.clear();
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child;
    this.#isWanted = false;
    if (child === undefined) return;
    const ended = once(child, 'exit');
    this.#gone();
    child.kill(signal);
    await ended;
  }

  #gone(): void {
    this.#child = undefined;
    if (this.#isReady) this.#ready = Promise.withResolvers();
    this.#isReady = false;
  }

  #startAgain(how: string): void {
    this.#gone();
    this.#options.died(`${this.name} ended with ${how} after ${this.age} ms; its log is ${this.log}`);
    // One that cannot even start would otherwise be started as often as the machine can.
    setTimeout(() => this.#isWanted && this.start(), 500);
  }
}
