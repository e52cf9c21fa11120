import { describeSettings, notNumbers } from '../support/settings.ts';

describeSettings('limits, times and the log', {
  RATE_LIMIT_MAX: {
    read: ({ rateLimit }) => rateLimit.limit,
    byDefault: 600,
    valid: [['1', 1]],
    invalid: ['0', ...notNumbers],
    expected: /a whole number from 1/,
  },
  RATE_LIMIT_WINDOW_SECONDS: {
    read: ({ rateLimit }) => rateLimit.windowMilliseconds,
    byDefault: 60_000,
    valid: [
      ['1', 1_000],
      ['86400', 86_400_000],
    ],
    invalid: ['0', '86401', ...notNumbers],
    expected: /seconds from 1 to 86400/,
  },
  ORDER_TTL_MINUTES: {
    read: ({ times }) => times.orderLifetime,
    byDefault: 86_400_000,
    valid: [
      ['0', 0],
      ['0.5', 30_000],
      ['60', 3_600_000],
    ],
    invalid: ['-1', 'never', '1e3', '1.', '.5'],
    expected: /minutes, 0 for no end/,
  },
  EVENT_RETENTION_DAYS: {
    read: ({ times }) => times.eventRetention,
    byDefault: 2_592_000_000,
    valid: [
      ['7', 604_800_000],
      ['365', 31_536_000_000],
    ],
    invalid: ['6', '366', ...notNumbers],
    expected: /days from 7 to 365/,
  },
  MAX_IN_FLIGHT: {
    read: ({ maxInFlight }) => maxInFlight,
    byDefault: 1_000,
    valid: [['1', 1]],
    invalid: ['0', ...notNumbers],
    expected: /a whole number from 1/,
  },
  MAX_WAITING: {
    read: ({ maxWaiting }) => maxWaiting,
    byDefault: 200,
    valid: [
      ['0', 0],
      ['1', 1],
    ],
    invalid: ['-1', ...notNumbers],
    expected: /a whole number from 0/,
  },
  REQUEST_TIMEOUT_MS: {
    read: ({ times }) => times.request,
    byDefault: 10_000,
    valid: [
      ['100', 100],
      ['600000', 600_000],
    ],
    invalid: ['99', '600001', ...notNumbers],
    expected: /milliseconds from 100 to 600000/,
  },
  SHUTDOWN_DRAIN_MS: {
    read: ({ times }) => times.drain,
    byDefault: 2_000,
    valid: [['0', 0]],
    invalid: ['600001', ...notNumbers],
    expected: /milliseconds from 0 to 600000/,
  },
  IDEMPOTENCY_LEASE_MS: {
    read: ({ times }) => times.lease,
    byDefault: 30_000,
    valid: [['10000', 10_000]],
    invalid: ['9999', '0', ...notNumbers],
    expected: /at least PAYMENT_TIMEOUT_MS \(10000\)/,
  },
  RECONCILE_AFTER_MS: {
    read: ({ times }) => times.reconcileAfter,
    byDefault: 60_000,
    valid: [['250', 250]],
    invalid: ['0', ...notNumbers],
    expected: /milliseconds from 1/,
  },
  LOG_FORMAT: {
    read: ({ logFormat }) => logFormat,
    byDefault: 'auto',
    valid: [
      ['json', 'json'],
      ['pretty', 'pretty'],
    ],
    invalid: ['JSON', 'text', ' '],
    expected: /auto, json or pretty/,
  },
  LOG_LEVEL: {
    read: ({ logLevel }) => logLevel,
    byDefault: 'info',
    valid: [['silent', 'silent']],
    invalid: ['INFO', 'loud'],
    expected: /one of fatal, error, warn, info/,
  },
  SEED_DEMO: {
    read: ({ seedDemo }) => seedDemo,
    byDefault: true,
    valid: [
      ['0', false],
      ['1', true],
    ],
    invalid: ['true', 'no'],
    expected: /1 or 0/,
  },
});
