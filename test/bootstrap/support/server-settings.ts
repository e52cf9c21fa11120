import { allowedOrigin } from '../../http/support/protocol.ts';

/** The key of the operator in servers that tests start. */
export const operatorKey = 'an-operator-key-that-is-long-enough-for-all';

/** Settings of a server for tests, with a free port. */
export const serverSettings = {
  ADMIN_API_KEY: operatorKey,
  PORT: '0',
  OPS_PORT: '0',
  SHUTDOWN_DRAIN_MS: '0',
  RATE_LIMIT_MAX: '1000000',
  SEED_DEMO: '0',
  LOG_LEVEL: 'warn',
  CORS_ORIGIN: allowedOrigin,
};
