import type { AdapterModule } from '../config/adapter-module.ts';
import type { Config } from '../config/config.ts';
import { loadModule } from './load-adapter.ts';

/** The function that a module from outside exports, by what it opens. */
export const factories = {
  provider: 'openPaymentProvider',
  authenticator: 'openAuthenticator',
  rateLimiter: 'openRateLimiter',
} as const;

/**
 * Loads every module that the settings name, without opening its adapter.
 * @returns the modules
 * @throws SettingError for the first one that cannot be used
 */
export const loadModules = async ({
  payment,
  authenticator,
  rateLimiter,
}: Pick<Config, 'payment' | 'authenticator' | 'rateLimiter'>): Promise<readonly AdapterModule[]> => {
  const modules: readonly (readonly [AdapterModule | undefined, string])[] = [
    [payment.provider === 'custom' ? payment.module : undefined, factories.provider],
    [authenticator, factories.authenticator],
    [rateLimiter, factories.rateLimiter],
  ];
  const loaded: AdapterModule[] = [];
  for (const [module, factory] of modules) {
    if (module === undefined) continue;
    await loadModule(module, factory);
    loaded.push(module);
  }
  return loaded;
};
