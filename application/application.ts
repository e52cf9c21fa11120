import type { Role } from '#domain/access.ts';
import type { CaptureMethod } from '#domain/payment.ts';
import { ApplicationError } from './errors.ts';
import type { ShowFields } from './events/new-events.ts';
import { type RecordingOptions, recordedUnitOfWork } from './events/recorded-unit-of-work.ts';
import { type Idempotency, idempotency } from './idempotency/idempotency.ts';
import { type Recoveries, recoverProcessNow } from './idempotency/recover-process-now.ts';
import { type BackgroundJobs, backgroundJobs } from './jobs/background-jobs.ts';
import { defaultErasureQuietMs } from './jobs/erasure-job.ts';
import { checkedProvider, type ReportMismatch } from './payments/checked-provider.ts';
import type { MintToken } from './ports/authenticator.ts';
import type { NumberEvents } from './ports/events.ts';
import type { IdempotencyRecord } from './ports/idempotency.ts';
import type { PaymentProvider } from './ports/payment-provider.ts';
import type { Clock, NewId } from './ports/system.ts';
import type { StoreUnitOfWork } from './ports/unit-of-work.ts';
import { type ApplySnapshot, applySnapshot } from './reconciliation/apply-snapshot.ts';
import { manualResolution } from './reconciliation/manual-resolution.ts';
import { type ReconciliationObserver, silentObserver } from './reconciliation/observer.ts';
import { pollProviderEvents } from './reconciliation/poll-provider-events.ts';
import { receiveProviderEvents } from './reconciliation/receive-provider-event.ts';
import { reconcileCharges } from './reconciliation/reconcile-charges.ts';
import type { Command, Phases, Process, Query } from './use-case.ts';
import { apiKeyUseCases } from './use-cases/api-keys.ts';
import { captureUseCases } from './use-cases/captures.ts';
import { disputeUseCases } from './use-cases/disputes.ts';
import { erasureUseCases } from './use-cases/erasures.ts';
import { eventUseCases } from './use-cases/events.ts';
import { idempotencyKeyUseCases } from './use-cases/idempotency-keys.ts';
import { orderItemUseCases } from './use-cases/order-items.ts';
import { orderUseCases } from './use-cases/orders.ts';
import { paymentUseCases } from './use-cases/payments.ts';
import { productUseCases } from './use-cases/products.ts';
import { refundUseCases } from './use-cases/refunds.ts';
import { reviewUseCases } from './use-cases/reviews.ts';
import { salesUseCases } from './use-cases/sales.ts';
import { stockChangeUseCases } from './use-cases/stock-changes.ts';
import { userUseCases } from './use-cases/users.ts';
import { webhookDeliveryUseCases } from './use-cases/webhook-deliveries.ts';
import { webhookEndpointUseCases } from './use-cases/webhook-endpoints.ts';
import { webhookSecretUseCases } from './use-cases/webhook-secrets.ts';
import type { LossObserver } from './webhooks/observer.ts';
import type { WebhookPorts } from './webhooks/ports.ts';

/** The ports that the application calls. */
export interface Ports {
  readonly unitOfWork: StoreUnitOfWork;
  /** The sequencer of the store, where it has one. */
  readonly numberEvents?: NumberEvents | undefined;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly mintToken: MintToken;
  readonly provider: PaymentProvider;
  /** When the money of payments is captured, unless the request decides. By default at once. */
  readonly captureMethod?: CaptureMethod;
  /** Called when the provider reports something else than what was asked. */
  readonly reportMismatch?: ReportMismatch;
  /** Observes reconciliation with the provider. */
  readonly reconciliationObserver?: ReconciliationObserver;
  /** Gets which events webhook endpoints have lost. */
  readonly webhookObserver?: LossObserver;
  /** Shows resources as clients see them, for the names of changed fields in events. By default as the domain has them. */
  readonly showFields?: ShowFields;
  /** What causes changes that no request waits for: the housekeeping, by default, or a command. */
  readonly causeKind?: RecordingOptions['causeKind'];
  /** Called when events were committed. */
  readonly onEvents?: (count: number) => void;
  /** What webhooks need. Without it no endpoint can be created. */
  readonly webhooks?: WebhookPorts;
}

/** Durations that an operator can configure, in milliseconds. */
export interface Durations {
  readonly lease: number;
  readonly reconcileAfter: number;
  /** 0 means that orders never expire. */
  readonly orderLifetime: number;
  /** How long a payer can act, from the creation of the payment. By default an hour. */
  readonly actionLifetime?: number;
  /** How long after an erasure has locked a user their last requests may still write. By default 15 seconds. */
  readonly erasureQuiet?: number;
  /** How long events are kept. By default 30 days. */
  readonly eventRetention?: number;
  /** How often the provider's own list of events is read; 0 means never. By default every minute. */
  readonly eventsPoll?: number;
}

const defaultEventsPollMs = 60_000;

const defaultEventRetentionMs = 30 * 24 * 60 * 60 * 1000;

const noSecrets = async (): Promise<never> => {
  throw new ApplicationError('unavailable', 'This process keeps no secrets.');
};

const noWebhooks: WebhookPorts = {
  sender: { problemOf: () => undefined },
  box: {
    problem: 'This process keeps no secrets, and so has no webhooks.',
    seal: noSecrets,
    open: noSecrets,
    reseal: noSecrets,
  },
  randomSecret: () => '',
};

/** All use cases, by resource. */
export const useCases = (
  ports: Omit<
    Ports,
    | 'unitOfWork'
    | 'reportMismatch'
    | 'reconciliationObserver'
    | 'webhookObserver'
    | 'numberEvents'
    | keyof RecordingOptions
  > & {
    readonly clock: Clock;
    readonly actionLifetimeMs?: number;
    readonly orderLifetimeMs?: number;
    readonly leaseMs?: number;
    /** Records the snapshot of a charge. By default without warnings. */
    readonly applySnapshot?: ApplySnapshot;
    readonly reportMismatch?: ReportMismatch;
  },
) => {
  const recording = { applySnapshot: applySnapshot({ ...ports, warn: silentObserver.warn }), ...ports };
  return {
    products: productUseCases(ports),
    stockChanges: stockChangeUseCases(ports),
    users: userUseCases(ports),
    erasures: erasureUseCases(ports),
    orders: orderUseCases(ports),
    orderItems: orderItemUseCases(ports),
    reviews: reviewUseCases(ports),
    payments: paymentUseCases(ports),
    captures: captureUseCases(recording),
    disputes: disputeUseCases(),
    refunds: refundUseCases(recording),
    sales: salesUseCases(),
    apiKeys: apiKeyUseCases(ports),
    events: eventUseCases(),
    idempotencyKeys: idempotencyKeyUseCases(ports),
    webhookEndpoints: webhookEndpointUseCases({ webhooks: noWebhooks, ...ports }),
    webhookSecrets: webhookSecretUseCases({ webhooks: noWebhooks, ...ports }),
    webhookDeliveries: webhookDeliveryUseCases(ports),
  };
};

export type UseCases = ReturnType<typeof useCases>;

/** Use cases that rules of one's own wrap. Each may be rejected with any domain error that the rule declares. */
type DecoratedUseCases = {
  readonly [R in keyof UseCases]: { readonly [N in keyof UseCases[R]]: WithAnyErrors<UseCases[R][N]> };
};

type WithAnyErrors<U> =
  U extends Query<infer Input, infer Result>
    ? Query<Input, Result>
    : U extends Command<infer Input, infer Result>
      ? Command<Input, Result>
      : U extends Process<infer Input, infer Result>
        ? Process<Input, Result>
        : U;

/** Wraps use cases in rules of one's own, and returns all of them. A wrapped use case keeps its kind and its permission. */
export type Decorate = (useCases: UseCases) => DecoratedUseCases;

/**
 * Assembles the application: use cases, idempotent execution, and background jobs.
 * @param decorate wraps the use cases that callers get; recovery of abandoned processes uses the undecorated phases
 */
export const createApplication = (
  ports: Ports,
  durations: Durations,
  decorate: Decorate = (undecorated) => undecorated,
) => {
  const {
    clock,
    showFields = (_subject, resource) => resource,
    causeKind = 'housekeeping',
    onEvents,
  } = ports;
  const recording = { clock, showFields, onEvents };
  const unitOfWork = recordedUnitOfWork(ports.unitOfWork, { ...recording, causeKind });
  const ofProviderUnit = recordedUnitOfWork(ports.unitOfWork, { ...recording, causeKind: 'provider' });
  const { reportMismatch = () => undefined } = ports;
  const observer = ports.reconciliationObserver ?? silentObserver;
  const provider = checkedProvider(ports.provider, reportMismatch);
  const orderLifetimeMs = durations.orderLifetime;
  const ofSnapshots = { clock, newId: ports.newId, warn: observer.warn, orderLifetimeMs };
  const apply = applySnapshot(ofSnapshots);
  const cases = useCases({
    ...ports,
    provider,
    applySnapshot: apply,
    reportMismatch,
    leaseMs: durations.lease,
    orderLifetimeMs,
    ...(durations.actionLifetime !== undefined && { actionLifetimeMs: durations.actionLifetime }),
  });
  const execution = idempotency({ unitOfWork, clock, newId: ports.newId, leaseMs: durations.lease });
  const recoveries: Recoveries = new Map([
    recovery(execution, () => cases.payments.recovery),
    recovery(execution, cases.payments.cancelRecovery.phasesFor),
    recovery(execution, () => cases.captures.recovery),
    recovery(execution, () => cases.refunds.recovery),
  ]);
  const ofProvider = { unitOfWork: ofProviderUnit, clock, provider, observer };
  const jobs: BackgroundJobs = backgroundJobs({
    unitOfWork,
    numberEvents: ports.numberEvents,
    clock,
    recoveries,
    expirePayments: cases.payments.expiry.expirePayments,
    leaseMs: durations.lease,
    reconcileAfterMs: durations.reconcileAfter,
    orderLifetimeMs,
    erasureQuietMs: durations.erasureQuiet ?? defaultErasureQuietMs,
    eventRetentionMs: durations.eventRetention ?? defaultEventRetentionMs,
    ...(ports.webhookObserver !== undefined && { webhookObserver: ports.webhookObserver }),
    ofProvider: {
      reconcileCharges: reconcileCharges({ ...ofProvider, reportMismatch, applySnapshot: apply }),
      pollProviderEvents: pollProviderEvents({
        ...ofProvider,
        intervalMs: durations.eventsPoll ?? defaultEventsPollMs,
      }),
    },
  });
  return {
    // The OpenAPI document lists the errors of rules; the types of routes and client are those of Portico's own use cases.
    useCases: decorate(cases) as UseCases,
    undecorated: cases,
    unitOfWork,
    idempotency: execution,
    backgroundJobs: jobs,
    receiveEvent: receiveProviderEvents(ofProvider),
    recoverProcessNow: recoverProcessNow({ unitOfWork, clock, recoveries }),
    manualResolution: manualResolution({ ...ofSnapshots, unitOfWork, provider, applySnapshot: apply }),
  };
};

/**
 * How an abandoned process is settled, under the name of the process.
 * @param phasesFor its phases, for the role of the user who began it
 */
const recovery = <S>(execution: Idempotency, phasesFor: (role: Role) => Phases<S>) =>
  [
    phasesFor('customer').process,
    (record: IdempotencyRecord) => execution.recover(record, phasesFor(record.role)),
  ] as const;

export type Application = ReturnType<typeof createApplication>;
