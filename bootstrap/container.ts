import 'reflect-metadata';
import { Container } from 'inversify';
import { keyAuthenticator } from '#adapters/auth/key-authenticator.ts';
import { mintToken } from '#adapters/auth/token.ts';
import { api } from '#adapters/http/api.ts';
import { commonHeaders } from '#adapters/http/headers.ts';
import { listen } from '#adapters/http/server.ts';
import { describeApi } from '#adapters/http/versions.ts';
import { assetOf } from '#adapters/ops/asset.ts';
import { docsHandler } from '#adapters/ops/docs/handler.ts';
import { opsHandler } from '#adapters/ops/listener.ts';
import { withDeadline } from '#adapters/payment/deadline.ts';
import { fixedWindowLimiter } from '#adapters/rate-limit/fixed-window.ts';
import { databaseClock } from '#adapters/system/database-clock.ts';
import { startHousekeeper } from '#adapters/system/housekeeper.ts';
import { newIdBy } from '#adapters/system/ids.ts';
import { openLog } from '#adapters/system/log.ts';
import { ensureOperator } from '#application/operator.ts';
import { portico } from '#application/portico.ts';
import type { Clock } from '#application/ports/clock.ts';
import { Instant } from '#domain/instant.ts';
import type { Config } from './config.ts';
import { docsKeys, operatorKey, usableTokens } from './held-keys.ts';
import { isLoopback } from './loopback.ts';
import { openProvider } from './open-provider.ts';
import { openStore } from './open-store.ts';
import { tokens } from './tokens.ts';
import { version } from './version.ts';

/**
 * Names every part once, with what it is made of. Nothing is made before it is asked for, each is made once, and
 * what is taken out of the container is closed.
 */
export const containerFor = (config: Config): Container => {
  const container = new Container({ defaultScope: 'Singleton' });
  const t = tokens;

  container.bind(t.config).toConstantValue(config);
  container.bind(t.log).toResolvedValue(({ logLevel }) => openLog(logLevel), [t.config]);

  container
    .bind(t.store)
    .toResolvedValue(({ database }) => openStore(database), [t.config])
    .onDeactivation((store) => store.close());

  container
    .bind(t.clock)
    .toResolvedValue(
      (store, log) =>
        databaseClock(() => store.now(), {
          report: (error) => log.warn({ err: error }, 'The database could not be asked for the time.'),
        }),
      [t.store, t.log],
    )
    .onDeactivation((clock) => clock.stop());

  container.bind(t.newId).toResolvedValue(newIdBy, [t.clock]);

  container
    .bind(t.provider)
    .toResolvedValue(
      async ({ payment, times }, { sandboxLedger }) =>
        withDeadline(await openProvider(payment, sandboxLedger, times.payment), times.payment),
      [t.config, t.store],
    );

  container
    .bind(t.portico)
    .toResolvedValue(
      ({ times }, { unitOfWork }, clock, newId, provider) =>
        portico({ unitOfWork, clock, newId, mintToken, provider }, times),
      [t.config, t.store, t.clock, t.newId, t.provider],
    );

  container
    .bind(t.docsKeys)
    .toResolvedValue(
      (config, { unitOfWork }, newId) => docsKeys(config, unitOfWork, newId),
      [t.config, t.store, t.newId],
    );

  container.bind(t.authenticator).toResolvedValue(
    async ({ adminApiKey }, { unitOfWork }, clock, newId, docsKeys, log) => {
      const report = (error: unknown) => log.warn({ err: error }, 'The use of an API key was not noted.');
      const ensureUser = () => ensureOperator({ unitOfWork, clock, newId });
      if (adminApiKey !== undefined) await ensureUser();
      const ofOperator = adminApiKey === undefined ? [] : [operatorKey(adminApiKey, ensureUser)];
      return keyAuthenticator({ unitOfWork, clock, report, heldKeys: [...ofOperator, ...docsKeys] });
    },
    [t.config, t.store, t.clock, t.newId, t.docsKeys, t.log],
  );

  container
    .bind(t.rateLimiter)
    .toResolvedValue(
      ({ rateLimit }, clock) => fixedWindowLimiter({ ...rateLimit, now: millisecondsBy(clock) }),
      [t.config, t.clock],
    );

  container.bind(t.apiParts).toResolvedValue(
    (theApplication, authenticator, rateLimiter, clock, log) => ({
      portico: theApplication,
      authenticator,
      rateLimiter,
      now: millisecondsBy(clock),
      report: (error: unknown, requestId: string) =>
        log.error({ err: error, requestId }, 'A request failed.'),
    }),
    [t.portico, t.authenticator, t.rateLimiter, t.clock, t.log],
  );

  container
    .bind(t.apiListener)
    .toResolvedValue(
      (config, parts) => {
        const handle = api(parts, { ...config, transport: config.behindProxy ? 'proxied' : 'private' });
        return listen(handle.callback(), { ...config, headers: commonHeaders(config.crossOrigin) });
      },
      [t.config, t.apiParts],
    )
    .onDeactivation((listener) => listener.close());

  // On this machine, whoever reaches it is past the proxy. From elsewhere they come in the clear, so there it answers
  // for health alone.
  container
    .bind(t.opsListener)
    .toResolvedValue(
      async (config, parts, { url: apiUrl }, keys, store, log) => {
        if (config.ops === undefined) return undefined;
        const probe = async () => {
          await store.ping().catch((error: unknown) => {
            log.warn({ err: error }, 'Not ready: the store does not answer.');
            throw error;
          });
        };
        const isPrivate = isLoopback(config.ops.host);
        const docs = docsHandler({
          version,
          apiUrl: isLoopback(config.host) ? apiUrl : undefined,
          canSend: isPrivate,
          findKeys: keys.length > 0 ? () => usableTokens(keys) : undefined,
          isLocal: isLoopback,
          report: (error) => log.error({ err: error }, 'The docs page could not be shown.'),
        });
        const handle = opsHandler({
          probe,
          document: await assetOf('application/json', JSON.stringify(describeApi(parts.portico.useCases))),
          docs,
          api: api(parts, { ...config, transport: isPrivate ? 'private' : 'clear' }).callback(),
        });
        return listen(handle, { ...config.ops, headers: commonHeaders(config.crossOrigin) });
      },
      [t.config, t.apiParts, t.apiListener, t.docsKeys, t.store, t.log],
    )
    .onDeactivation((listener) => listener?.close());

  container
    .bind(t.housekeeper)
    .toResolvedValue(
      ({ times }, { housekeeping }, newId, log) =>
        startHousekeeper(housekeeping, {
          name: newId(),
          reconcileAfterMilliseconds: times.reconcileAfter,
          report: (error) => log.warn({ err: error }, 'Housekeeping left something for the next round.'),
        }),
      [t.config, t.portico, t.newId, t.log],
    )
    .onDeactivation((housekeeper) => housekeeper.stop());

  return container;
};

const millisecondsBy =
  ({ now }: Clock) =>
  (): number =>
    Instant.milliseconds(now());
