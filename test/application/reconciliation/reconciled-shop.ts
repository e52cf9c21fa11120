import { createApplication } from '#application/application.ts';
import type { ChargeState } from '#application/ports/charge.ts';
import type {
  ChargeLifecycle,
  ChargeSnapshot,
  CompleteChargeLifecycle,
  ProviderEvent,
  ProviderObject,
  ProviderRefund,
} from '#application/ports/charge-lifecycle.ts';
import type { PaymentProvider } from '#application/ports/payment-provider.ts';
import type { StoreUnitOfWork } from '#application/ports/unit-of-work.ts';
import type { ReconciliationResult, ReconciliationWarning } from '#application/reconciliation/observer.ts';
import { testShop } from '#bootstrap/testing/test-shop.ts';
import type { DisputeDetails } from '#domain/dispute.ts';
import type { Instant } from '#domain/instant.ts';
import type { CaptureMethod, PaymentId } from '#domain/payment.ts';

/** What the provider does when it is asked about a charge: it answers, throws, or waits. */
type Answer = () => Promise<ChargeSnapshot | undefined>;

const unused = async (): Promise<never> => {
  throw new Error('No reconciliation calls this.');
};

/** A provider that can be asked later, and returns what the test writes down. */
const reconciledProvider = () => {
  const said = new Map<string, Answer>();
  const charges = new Map<string, string>();
  const asked: string[] = [];
  const listedFrom: Instant[] = [];
  let captures: CompleteChargeLifecycle['capture'] = unused;
  let cancels: CompleteChargeLifecycle['cancel'] = unused;
  let finds: CompleteChargeLifecycle['findCharge'] = unused;
  let refunds: PaymentProvider['refund'] = async ({ refundId }) => ({
    ...{ reference: `re_${refundId}`, waitsFor: 'provider' },
  });
  let name = 'followed';
  let next: (reference: string) => ChargeState = (reference) => ({ reference });
  let listing: Promise<void> = Promise.resolve();
  let list: { readonly events: readonly ProviderEvent[]; readonly newest: Instant | null } = {
    events: [],
    newest: null,
  };

  const lifecycle: ChargeLifecycle = {
    asksPayer: true,
    findCharge: async (charge) => finds(charge),
    cancel: async (charge) => cancels(charge),
    capture: async (request) => captures(request),
    retrieveCharge: async (reference) => {
      asked.push(reference);
      return said.get(reference)?.();
    },
    findChargeOf: async ({ reference }) => charges.get(reference),
    listProviderEvents: async (time) => {
      listedFrom.push(time);
      await listing;
      return list;
    },
  };
  const port: PaymentProvider = {
    get name() {
      return name;
    },
    idempotencyWindowMs: 24 * 3_600_000,
    charge: async ({ paymentId }) => next(`ch_${paymentId}`),
    closeCharge: async ({ paymentId }) => next(`ch_${paymentId}`),
    refund: async (request) => refunds(request),
    closeRefund: unused,
    lifecycle,
  };
  return {
    ...{ port, asked, listedFrom },
    /** What becomes of the charges from now on. */
    charges: (state: (reference: string) => ChargeState) => {
      next = state;
    },
    returns: (reference: string, answer: Answer) => {
      said.set(reference, answer);
    },
    /** What becomes of captures from now on. */
    captures: (outcome: CompleteChargeLifecycle['capture']) => {
      captures = outcome;
    },
    /** What is found of charges from now on. */
    finds: (state: ChargeState) => {
      finds = async () => state;
    },
    /** What becomes of cancellations from now on. */
    cancels: (state: CompleteChargeLifecycle['cancel']) => {
      cancels = state;
    },
    /** What becomes of refunds from now on. By default the provider accepts them, and is not finished. */
    refunds: (state: PaymentProvider['refund']) => {
      refunds = state;
    },
    /** An object of another kind belongs to a charge. */
    belongs: (reference: string, charge: string) => {
      charges.set(reference, charge);
    },
    lists: (events: readonly ProviderEvent[], newest: Instant | null) => {
      list = { events, newest };
    },
    /** The list of events is returned once this is done. */
    listsAfter: (until: Promise<void>) => {
      listing = until;
    },
    renamed: (to: string) => {
      name = to;
    },
  };
};

/** A shop in memory whose provider can be asked later. The test controls the time, and what the provider returns. */
export const reconciledShop = async () => {
  const provider = reconciledProvider();
  const shop = await testShop({ provider: provider.port });
  const { ports } = shop;
  const { unitOfWork } = ports;

  /** A process that shares the store. */
  const aProcess = (store: StoreUnitOfWork = unitOfWork, eventsPoll = 60_000) => {
    const warnings: ReconciliationWarning[] = [];
    const results: ReconciliationResult[] = [];
    const mismatches: string[] = [];
    const seen = { overdueMs: 0, events: 0 };
    const reconciliationObserver = {
      warn: (warning: ReconciliationWarning) => warnings.push(warning),
      ended: (result: ReconciliationResult) => results.push(result),
      overdue: (ms: number) => {
        seen.overdueMs = ms;
      },
      eventsRead: (count: number) => {
        seen.events += count;
      },
    };
    const application = createApplication(
      {
        ...{ ...ports, unitOfWork: store, reconciliationObserver },
        reportMismatch: ({ subject }) => mismatches.push(subject),
      },
      { lease: 30_000, reconcileAfter: 60_000, orderLifetime: 0, eventsPoll },
    );
    return { ...application.backgroundJobs, warnings, results, mismatches, seen };
  };

  /** A payment of which the provider has reported this. */
  const paid = async (state: (reference: string) => ChargeState, capture: CaptureMethod = 'automatic') => {
    provider.charges(state);
    const order = await shop.placeOrder(shop.customer, await shop.newProduct({ stock: 10 }));
    const input = { orderId: order.id, paymentMethod: 'tok_ok', capture };
    const payment = await shop.run(shop.useCases.payments.pay, shop.staff, input);
    return {
      order,
      payment,
      reference: `ch_${payment.id}`,
      providerObject: chargeObject(`ch_${payment.id}`),
    };
  };

  /** The provider reports from now on that this has become of the charge of a payment. */
  const becomes = (
    paymentId: PaymentId,
    state: ChargeState,
    refunds: readonly ProviderRefund[] = [],
    disputes: readonly DisputeDetails[] = [],
  ) => {
    const reference = `ch_${paymentId}`;
    provider.returns(reference, async () => ({ reference, paymentId, charge: state, refunds, disputes }));
  };

  const find = (providerObject: ProviderObject) =>
    unitOfWork.read(({ reconciliationTasks }) =>
      reconciliationTasks.find(provider.port.name, providerObject),
    );

  const enqueue = (providerObject: ProviderObject) =>
    unitOfWork.run(({ reconciliationTasks }) =>
      reconciliationTasks.enqueue(provider.port.name, providerObject, shop.now()),
    );

  /**
   * Makes a run at each step of a period.
   * @returns when the provider was asked, in seconds from now
   */
  const askedWithin = async (
    { reconcileCharges }: Pick<ReturnType<typeof aProcess>, 'reconcileCharges'>,
    ms: number,
    stepMs = 1_000,
  ): Promise<readonly number[]> => {
    const times: number[] = [];
    for (let passed = 0; passed < ms; passed += stepMs) {
      const before = provider.asked.length;
      await reconcileCharges();
      if (provider.asked.length > before) times.push(passed / 1_000);
      shop.advance(stepMs);
    }
    return times;
  };

  const paymentOf = (id: PaymentId) => unitOfWork.read(({ payments }) => payments.find(id));

  return { ...shop, provider, aProcess, paid, becomes, find, enqueue, askedWithin, paymentOf };
};

export type ReconciledShop = Awaited<ReturnType<typeof reconciledShop>>;

export const chargeObject = (reference: string): ProviderObject => ({ kind: 'charge', reference });

export const asksPayer = (reference: string): ChargeState => ({
  reference,
  waitsFor: 'payer',
  nextAction: null,
});
export const decidesLater = (reference: string): ChargeState => ({ reference, waitsFor: 'provider' });
export const isHeld = (reference: string): ChargeState => ({
  ...{ reference, waitsFor: 'capture', captureBefore: null },
});
export const succeeds = (reference: string): ChargeState => ({ reference });
