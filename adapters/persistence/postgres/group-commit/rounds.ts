import { Round } from './round.ts';
import type { Transaction } from './transaction.ts';

interface Listener {
  /** No round trip is under way, and no statement is pending. */
  quiet(): void;
  /** A round trip failed, and no other is sent. */
  failed(error: unknown): void;
}

/** Sends the statements of a group in one round trip after the other, each at the end of a turn of the event loop. */
export class Rounds {
  readonly #transaction: Transaction;
  readonly #listener: Listener;
  #round = new Round();
  #isBusy = false;
  #step: NodeJS.Immediate | undefined;

  constructor(transaction: Transaction, listener: Listener) {
    this.#transaction = transaction;
    this.#listener = listener;
  }

  ask<T>(question: (round: Round) => Promise<T>): Promise<T> {
    this.goOn();
    return question(this.#round);
  }

  goOn(): void {
    if (!this.#isBusy) this.#step ??= setImmediate(() => this.#next());
  }

  /** From now on nothing is sent. */
  end(): void {
    this.#isBusy = true;
  }

  #next(): void {
    this.#step = undefined;
    if (this.#isBusy) return;
    if (this.#round.isEmpty) this.#listener.quiet();
    else void this.#send();
  }

  async #send(): Promise<void> {
    const round = this.#round;
    this.#round = new Round();
    this.#isBusy = true;
    try {
      round.resolve(await this.#transaction.send(round.statements));
      this.#isBusy = false;
      this.goOn();
    } catch (error) {
      round.reject(error);
      this.#listener.failed(error);
    }
  }
}
