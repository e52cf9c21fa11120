import type { Application } from '#application/application.ts';
import { ApplicationError } from '#application/errors.ts';
import type { LivePayment } from '#application/payments/charges.ts';
import { refreshIntervalMs } from '#application/payments/refresh-payment.ts';
import type { Caller } from '#application/preconditions.ts';
import type { PaymentId } from '#domain/payment.ts';
import type { Journal } from './journal.ts';
import { isErasedIn } from './judgement/erasure.ts';
import { type Ledger, nextAction } from './provider/ledger.ts';
import type { Actor, Schedule } from './schedule.ts';
import { ConnectionLost, type Server } from './server.ts';
import type { Shop } from './shop.ts';

/** How long a read waits for the provider, in milliseconds. */
const refreshTimeoutMs = 2_000;

interface Dependencies {
  readonly shop: Shop;
  readonly schedule: Schedule;
  readonly ledger: Ledger;
  readonly journal: Journal;
  readonly anyServer: () => Server | undefined;
}

/** Clients who read payments, and see what their payer has to do. */
export class Reader {
  readonly #dependencies: Dependencies;
  /** When the provider was last asked about a payment for a reader. */
  readonly #askedAt = new Map<PaymentId, number>();

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
  }

  /** Reads a payment once, if a server is up. What it shows its payer is what the provider tells that payer. */
  readonly read = async (client: Actor, caller: Caller, id: PaymentId): Promise<void> => {
    const { shop, schedule, ledger, journal, anyServer } = this.#dependencies;
    const server = anyServer();
    if (server === undefined || (caller === shop.ada && (await isErasedIn(shop.store, caller.userId))))
      return;
    schedule.note(client, `reads ${id} at ${server.name}`);
    try {
      const { status, nextAction: shown } = await server.serve((to) => this.#payment(to, caller, id));
      await schedule.turn(client, `sees that it is ${status}${shown ? ', and what to do' : ''}`);
      const charge = ledger.of(id);
      if (shown && (!charge || JSON.stringify(nextAction(charge)) !== JSON.stringify(shown)))
        journal.breach(`The payer of ${id} was shown what another has to do.`);
    } catch (error) {
      journal.log(String(error));
      if (!(error instanceof ConnectionLost)) journal.breach(`A read failed: ${error}`);
      await schedule.turn(client, `hears of ${error}`);
    }
  };

  /** As the route does: the provider is asked first what its payer has to do. */
  async #payment(
    { unitOfWork, useCases: { payments } }: Application,
    caller: Caller,
    id: PaymentId,
  ): Promise<LivePayment> {
    const { isDue, claim, call } = payments.refresh;
    const found = await unitOfWork.read(payments.get(caller, id));
    if (!isDue(found)) return found;
    let claimedAt = 0;
    const isClaimed = await unitOfWork.run(async (repositories) => {
      claimedAt = this.#dependencies.schedule.now;
      return claim(found)(repositories);
    });
    if (!isClaimed) return found;
    this.#watchInterval(id, claimedAt);
    const tooLate = new Promise<undefined>((resolve) => {
      this.#dependencies.schedule.after(refreshTimeoutMs, () => resolve(undefined));
    });
    const called = await Promise.race([call(found).catch(withoutAnswer), tooLate]);
    if (called === undefined) return found;
    return 'found' in called ? called.found : unitOfWork.run(called.record);
  }

  /** Those who read a payment let its provider be asked at most once a second, whichever servers they read it at. */
  #watchInterval(id: PaymentId, claimedAt: number): void {
    const { schedule, journal } = this.#dependencies;
    const before = this.#askedAt.get(id) ?? Number.NEGATIVE_INFINITY;
    schedule.note({ name: 'a read', isGone: false }, `asks about ${id}`);
    if (Math.abs(claimedAt - before) < refreshIntervalMs)
      journal.breach(
        `Of the payment ${id} the provider was asked twice within a second by those who read it.`,
      );
    this.#askedAt.set(id, claimedAt);
  }
}

const withoutAnswer = (error: unknown): undefined => {
  if (!(error instanceof ApplicationError)) throw error;
  return undefined;
};
