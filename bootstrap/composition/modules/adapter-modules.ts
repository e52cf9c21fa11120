import type { AdapterModule } from '../../config/adapter-module.ts';
import type { Config } from '../../config/config.ts';
import { loadModule } from './load-adapter.ts';

/**
 * Loads every module from outside that the settings name, without opening its adapter.
 * @returns the modules
 * @throws SettingError for the first one that cannot be used
 */
export const loadModules = async (config: Config): Promise<readonly AdapterModule[]> => {
  const { database, payment, authenticator, rateLimiter, useCases } = config;
  const provider = payment.provider === 'custom' ? payment.module : undefined;
  const modules = [database.module, provider, authenticator, rateLimiter, useCases].filter(
    (module) => module !== undefined,
  );
  for (const module of modules) await loadModule(module);
  return modules;
};
