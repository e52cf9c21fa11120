import type { Finding } from '#application/ports/finding.ts';
import type { ProviderInspectionOptions } from '#application/ports/provider-inspection.ts';
import type { AdapterModule } from '../config/adapter-module.ts';
import { SettingError } from '../config/env-parser.ts';
import { callFactory, loadModule } from './load-adapter.ts';

/**
 * Lets a payment provider from outside check its account.
 * @returns undefined when its module exports no `inspectProvider`
 * @throws SettingError when the module cannot be used, or returns something else than findings; ApplicationError that it throws
 */
export const inspectCustomProvider = async (
  module: AdapterModule,
  options: ProviderInspectionOptions,
): Promise<readonly Finding[] | undefined> => {
  const { inspectProvider } = await loadModule(module);
  if (inspectProvider === undefined) return undefined;
  const found = await callFactory({ ...module, factory: 'inspectProvider' }, inspectProvider, options);
  if (Array.isArray(found) && found.every(isFinding)) return found;
  throw new SettingError(
    module.setting,
    `names ${module.file}, whose inspectProvider must return an array of findings, each with check, state and message.`,
  );
};

const states: readonly unknown[] = ['ok', 'warn', 'fail'] satisfies readonly Finding['state'][];

const isFinding = (value: unknown): value is Finding => {
  const { check, state, message, remedy } = (value ?? {}) as Readonly<Record<keyof Finding, unknown>>;
  return (
    typeof check === 'string' &&
    states.includes(state) &&
    typeof message === 'string' &&
    (remedy === undefined || typeof remedy === 'string')
  );
};
