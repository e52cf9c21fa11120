import { readFile } from 'node:fs/promises';
import { keyFileOf } from '#adapters/secrets/secret-keys.ts';
import { defaultErasureQuietMs } from '#application/jobs/erasure-job.ts';
import type { WaitLimits } from '../lab/clients/retried-request.ts';
import type { NetworkFaults } from '../stripe/network-faults.ts';
import type { Conduct } from '../stripe/people.ts';

/** In milliseconds: short, so that leases expire and the reconciler runs during a test. */
const times = { payment: 1_500, lease: 3_000, reconcileAfter: 1_000, eventsPoll: 5_000 };

/**
 * How long a key may be in progress without a takeover: its lease, plus an attempt that acquired the lease late. And how long
 * a client may be without a final response.
 */
export const waitLimits: WaitLimits = {
  stuckKeyMs: times.lease + times.payment + 500,
  unfinishedKeyMs: 60_000,
};

/** How far the provider's search index lags behind. */
export const searchIndexLagMs = 5_000;

/**
 * How long after the last kill and the last request everything must be settled: the time until the reconciler starts, the last
 * process lease, the leader lease of a killed process, and a few runs.
 */
export const settlingTimeMs = times.reconcileAfter + times.lease + 2 * times.reconcileAfter + 3_000;

/** How long an erasure may take: it waits until the last requests of its user are over, and then is settled as anything else. */
export const erasureTimeMs = defaultErasureQuietMs + settlingTimeMs;

/** How much the clients do. */
export interface Pace {
  /** How many there are at once. */
  readonly clients: number;
  /** How long each pauses between its requests, at most. */
  readonly pauseMs: number;
  /** How long the one that retries old requests pauses, at least and at most. */
  readonly retryAfterMs: readonly [number, number];
  /** How many times as long as usual a reader of the feed and a receiver of webhooks run until they are killed. */
  readonly longerLives: number;
}

export const usualPace: Pace = { clients: 5, pauseMs: 250, retryAfterMs: [50, 250], longerLives: 1 };

/** Fewer requests and starts of readers between two kills, so that many kills take less time. */
export const lightPace: Pace = { clients: 3, pauseMs: 1_000, retryAfterMs: [200, 1_000], longerLives: 4 };

/**
 * A round has a database and a provider of its own, so that an hour of it needs no more memory than minutes. With readers of events it is
 * short: between kills a webhook is delivered only while a process holds the lease, and what waits has to arrive soon after the last kill.
 */
export const killsOfRound = ({ events }: { readonly events: boolean }): number => (events ? 50 : 500);

/** A provider with failures, lost responses and delays. */
export const storm = (seed: number): NetworkFaults => ({
  seed,
  fail: 0.05,
  drop: 0.05,
  dropBefore: 0.01,
  failAfter: 0.01,
  stall: 0.01,
  stallMilliseconds: times.payment + 500,
  delayMilliseconds: 5,
});

export const calm: NetworkFaults = {};

/** Within which payers, banks and merchants act, each at an instant of its own, in milliseconds. */
export const actsWithinMs = 1_500;

/** Payers who consent, refuse, try again or do nothing, merchants who refund elsewhere, and banks that decide later. */
export const conduct = (seed: number): Conduct => ({
  seed,
  withinMilliseconds: actsWithinMs,
  ...{ consents: 0.65, refuses: 0.2, retries: 0.5 },
  ...{ chargesWait: 0.1, chargesFail: 0.2 },
  ...{ capturesOutside: 0.15, cancelsOutside: 0.06 },
  ...{ refundsOutside: 0.06, refundsWait: 0.25, refundsFail: 0.15, disputes: 0.06 },
  ...{ webhooksLost: 0.3, webhooksTwice: 0.2, webhooksForged: 0.1 },
});

/** How often the servers read the provider's list of events, in milliseconds. */
export const eventsPollMs = times.eventsPoll;

/** With which the provider signs its webhooks. */
export const webhookSecret = 'whsec_chaos';

export const adminKey = 'a-key-for-chaos-that-is-long-enough';

const secretsKey = Buffer.alloc(32, 'chaos').toString('base64');

/** The key of the secrets of webhook endpoints. SQLite has one in a file. */
export const secretsKeyOf = async (url: string): Promise<string> =>
  url.startsWith('sqlite:')
    ? (await readFile(keyFileOf(url.slice('sqlite:'.length)), 'utf8')).trim()
    : secretsKey;

export interface ServerOptions {
  readonly database: string;
  readonly provider: string;
  readonly port: number;
  readonly opsPort: number;
  readonly eventsPort: number;
  /** The folder of the compile cache, which makes restarts short. */
  readonly cache: string;
}

/** The settings of the servers. */
export const environment = ({
  database,
  provider,
  port,
  opsPort,
  eventsPort,
  cache,
}: ServerOptions): Record<string, string> => ({
  DATABASE_URL: database,
  PORT: `${port}`,
  OPS_PORT: `${opsPort}`,
  SHUTDOWN_DRAIN_MS: '0',
  ADMIN_API_KEY: adminKey,
  SEED_DEMO: '0',
  RATE_LIMIT_MAX: '1000000000',
  PAYMENT_PROVIDER: 'stripe',
  STRIPE_SECRET_KEY: 'sk_test_chaos',
  STRIPE_API_BASE: provider,
  PAYMENT_TIMEOUT_MS: `${times.payment}`,
  IDEMPOTENCY_LEASE_MS: `${times.lease}`,
  RECONCILE_AFTER_MS: `${times.reconcileAfter}`,
  PROVIDER_EVENTS_PORT: `${eventsPort}`,
  STRIPE_WEBHOOK_SECRETS: webhookSecret,
  PROVIDER_EVENTS_POLL_MS: `${times.eventsPoll}`,
  NODE_COMPILE_CACHE: cache,
  WEBHOOK_ALLOW: '127.0.0.1:*',
  ...(database.startsWith('sqlite:') ? {} : { SECRETS_KEY: secretsKey }),
});
