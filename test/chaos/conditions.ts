import type { Forecast } from '../stripe/weather.ts';

/** In milliseconds: short, so that leases expire and the reconciler runs during a test. */
const times = { payment: 1_500, lease: 3_000, reconcileAfter: 2_000 };

/** In milliseconds during which a server served at least. */
export interface WaitLimits {
  readonly stuckKey: number;
  readonly unansweredKey: number;
}

/**
 * For how long a key may be in progress without anybody having taken it up: its lease, and what an attempt may last that
 * took the lease late. And how long a client may be without a final answer at all.
 */
export const waitLimits: WaitLimits = { stuckKey: times.lease + times.payment + 500, unansweredKey: 60_000 };

/** How far the provider's search is behind, in milliseconds. */
export const indexLag = 5_000;

/**
 * How long after the last kill and the last request everything has to be settled: the time that a client is left, the
 * last lease, the time for which a dead housekeeper keeps its duty, and a few rounds.
 */
export const grace = times.reconcileAfter + times.lease + 2 * times.reconcileAfter + 3_000;

/** How many clients there are at once. */
export const clients = 8;

/** A round has a database and a provider of its own, so that an hour of it needs no more memory than minutes. */
export const killsOfRound = 500;

/** The provider on a bad day. */
export const storm = (seed: number): Forecast => ({
  seed,
  fail: 0.05,
  drop: 0.05,
  dropBefore: 0.01,
  failAfter: 0.01,
  stall: 0.01,
  stallMilliseconds: times.payment + 500,
  delayMilliseconds: 5,
});

export const calm: Forecast = {};

export const adminKey = 'a-key-for-chaos-that-is-long-enough';

export interface Where {
  readonly database: string;
  readonly provider: string;
  readonly port: number;
  /** Where compiled code is kept: a killed server has to be back as soon as it can. */
  readonly cache: string;
}

/** What the servers are told. */
export const environment = ({ database, provider, port, cache }: Where): Record<string, string> => ({
  DATABASE_URL: database,
  PORT: `${port}`,
  OPS_PORT: '0',
  SHUTDOWN_DRAIN_MS: '0',
  ADMIN_API_KEY: adminKey,
  SEED_DEMO: '0',
  LOG_LEVEL: 'warn',
  RATE_LIMIT_MAX: '1000000000',
  PAYMENT_PROVIDER: 'stripe',
  STRIPE_SECRET_KEY: 'sk_test_chaos',
  STRIPE_API_BASE: provider,
  PAYMENT_TIMEOUT_MS: `${times.payment}`,
  IDEMPOTENCY_LEASE_MS: `${times.lease}`,
  RECONCILE_AFTER_MS: `${times.reconcileAfter}`,
  NODE_COMPILE_CACHE: cache,
});
