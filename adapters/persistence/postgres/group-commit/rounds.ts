import { Round } from './round.ts';
import type { Transaction } from './transaction.ts';

interface Listener {
  /** All that was asked has been answered, and nobody has asked for anything more. */
  quiet(): void;
  /** A round was refused, and no other is sent. */
  failed(error: unknown): void;
}

/** Sends what is asked for in rounds, one after the other: each when everybody has asked who can. */
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

  /** Nothing is sent any more. */
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
      round.answer(await this.#transaction.ask(round.asked));
      this.#isBusy = false;
      this.goOn();
    } catch (error) {
      round.refuse(error);
      this.#listener.failed(error);
    }
  }
}
