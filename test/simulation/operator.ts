import type { Application } from '#application/application.ts';
import type { ProviderMismatch } from '#application/errors.ts';
import { Payment, type PaymentId } from '#domain/payment.ts';
import type { Journal } from './journal.ts';
import type { SimulatedProvider } from './provider/provider.ts';
import type { Shop } from './shop.ts';

/** The person who looks at payments of which the provider says something else than what was asked. */
export class Operator {
  readonly #provider: SimulatedProvider;
  readonly #journal: Journal;
  readonly #reported = new Set<string>();

  constructor(provider: SimulatedProvider, journal: Journal) {
    this.#provider = provider;
    this.#journal = journal;
  }

  report({ process, subject, message, difference }: ProviderMismatch): void {
    this.#journal.log(`${message} ${difference}`);
    if (process === 'payment') this.#reported.add(subject);
  }

  /** Gives back at the provider what it has taken wrongly, and settles the payments here as failed. */
  async settle({ store, admin }: Shop, { useCases: { payments } }: Application): Promise<void> {
    for (const id of [...this.#reported] as PaymentId[]) {
      const payment = await store.read((from) => from.payments.find(id));
      const charge = this.#provider.ledger.of(id);
      if (payment === undefined || charge === undefined) continue;
      if (charge.status !== 'taken' || charge.isManual) continue;
      this.#reported.delete(id);
      if (!Payment.isUndecided(payment)) {
        this.#journal.breach(`The payment ${id} is ${payment.status}, although another amount was taken.`);
        continue;
      }
      this.#provider.lostCancellations.delete(id);
      charge.taken = null;
      charge.status = 'canceled';
      const verdict = { declined: { code: 'settled', message: 'Another amount was taken.' } };
      await store.run(payments.settle(admin, { id, verdict }));
    }
  }
}
