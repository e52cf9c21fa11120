import type { Finding } from '#application/ports/inspection.ts';
import type { Config } from '../../../config/config.ts';
import { checkPublicOrigin } from '../cors.ts';
import { checkMachineClock } from '../machine.ts';
import { checkMoney } from '../providers.ts';
import { checkAdminKeys } from './admin-keys.ts';
import { checkBackups, checkRoom } from './backups.ts';
import { checkProxyTimeout, checkPublicUrl } from './proxy.ts';
import { checkTransport } from './transport.ts';

/** What the settings do not have. */
export interface ProductionOptions {
  /** A backup, or the folder that has them. */
  readonly backups: string | undefined;
  /** How long the proxy in front waits for a response, in milliseconds. */
  readonly proxyTimeoutMs: number | undefined;
}

/** What must hold before real clients come, beyond what a start needs. Changes nothing. */
export const checkForProduction = async (
  config: Config,
  { backups, proxyTimeoutMs }: ProductionOptions,
): Promise<readonly Finding[]> => {
  const findings = await Promise.all([
    checkTransport(config.database),
    checkAdminKeys(config),
    checkBackups(config.database, backups),
    checkRoom(config.database),
    checkMachineClock(),
    checkPublicUrl(config),
    checkPublicOrigin(config),
    checkProxyTimeout(config, proxyTimeoutMs),
    checkMoney(config.payment),
  ]);
  return findings.flat();
};
