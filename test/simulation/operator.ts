import type { Application } from '#application/application.ts';
import type { ProviderMismatch } from '#application/errors.ts';
import type { UnitOfWork } from '#application/ports/unit-of-work.ts';
import type { CaptureId } from '#domain/capture.ts';
import { DomainError } from '#domain/errors.ts';
import { Payment, type PaymentId } from '#domain/payment.ts';
import type { RefundId } from '#domain/refund.ts';
import type { Journal } from './journal.ts';
import type { SimulatedProvider } from './provider/provider.ts';
import type { Shop } from './shop.ts';

const anotherMoved = { declined: { code: 'settled', message: 'Another amount was moved.' } };

type UseCases = Application['useCases'];

/** The person who looks at payments of which the provider says something else than what was asked. */
export class Operator {
  readonly #provider: SimulatedProvider;
  readonly #journal: Journal;
  readonly #reported = {
    payment: new Set<string>(),
    refund: new Set<string>(),
    capture: new Set<string>(),
  } as const;
  readonly #settled = new Set<string>();

  constructor(provider: SimulatedProvider, journal: Journal) {
    this.#provider = provider;
    this.#journal = journal;
  }

  /** A response that was under way while its subject was settled reports it once more. */
  report({ process, subject, message, difference }: ProviderMismatch): void {
    this.#journal.log(`${message} ${difference}`);
    if (this.#settled.has(subject)) return;
    this.#reported[process].add(subject);
  }

  /** Settles all that was reported, after a look at the provider. */
  async settle(shop: Shop, { useCases, unitOfWork }: Application): Promise<void> {
    await this.#settleRefunds(shop, useCases, unitOfWork);
    await this.#settleCaptures(shop, useCases, unitOfWork);
    await this.#settlePayments(shop, useCases, unitOfWork);
  }

  /** Cancels the paid orders whose money was lost in a dispute. */
  async writeOff({ store, staff }: Shop, { useCases, unitOfWork }: Application): Promise<void> {
    const { paid, lost } = await store.read(async ({ orders, disputes }) => ({
      paid: (await orders.page({ status: 'paid' }, { limit: 1_000 })).rows,
      lost: (await disputes.page({ status: 'lost' }, { limit: 1_000 })).rows,
    }));
    for (const { id } of paid) {
      if (!lost.some(({ orderId }) => orderId === id)) continue;
      const input = { id, expectedVersions: undefined, status: 'canceled' } as const;
      await unitOfWork.run(useCases.orders.change(staff, input)).catch((error: unknown) => {
        // Another dispute is open, or a refund is pending.
        if (!(error instanceof DomainError && error.kind === 'invalid-state')) throw error;
        this.#journal.log(error.message);
      });
    }
  }

  /** Takes back at the provider what it has refunded by mistake, and settles the refunds here as failed. */
  async #settleRefunds({ store, admin }: Shop, { refunds }: UseCases, unit: UnitOfWork): Promise<void> {
    for (const id of [...this.#reported.refund] as RefundId[]) {
      this.#reported.refund.delete(id);
      const made = this.#provider.ledger.charges
        .flatMap((charge) => charge.refunds)
        .find(({ refundId }) => refundId === id);
      if (made === undefined || !made.isMistaken) continue;
      this.#provider.ledger.endRefund(made, 'failed');
      const refund = await store.read((from) => from.refunds.find(id));
      this.#settled.add(id);
      if (refund?.status === 'pending') await unit.run(refunds.settle(admin, { id, outcome: anotherMoved }));
      else this.#journal.breach(`The refund ${id} is ${refund?.status}, although another was made.`);
    }
  }

  /** Settles captures as failed that the provider has made otherwise. What it has captured counts as captured in its dashboard. */
  async #settleCaptures({ store, admin }: Shop, { captures }: UseCases, unit: UnitOfWork): Promise<void> {
    for (const id of [...this.#reported.capture] as CaptureId[]) {
      this.#reported.capture.delete(id);
      this.#settled.add(id);
      const capture = await store.read((from) => from.captures.find(id));
      if (capture?.status === 'pending')
        await unit.run(captures.settle(admin, { id, outcome: anotherMoved }));
      else this.#journal.breach(`The capture ${id} is ${capture?.status}, although another was made.`);
    }
  }

  /** Gives back at the provider what it has taken wrongly, and settles the payments here as failed. */
  async #settlePayments({ store, admin }: Shop, { payments }: UseCases, unit: UnitOfWork): Promise<void> {
    for (const id of [...this.#reported.payment] as PaymentId[]) {
      const payment = await store.read((from) => from.payments.find(id));
      const charge = this.#provider.ledger.of(id);
      if (payment === undefined || charge === undefined) continue;
      if (charge.status !== 'taken' || charge.isManual) continue;
      this.#reported.payment.delete(id);
      this.#settled.add(id);
      if (!Payment.isUndecided(payment)) {
        this.#journal.breach(`The payment ${id} is ${payment.status}, although another amount was taken.`);
        continue;
      }
      this.#provider.lostCancellations.delete(id);
      charge.taken = null;
      charge.status = 'canceled';
      await unit.run(payments.settle(admin, { id, outcome: anotherMoved }));
    }
  }
}
