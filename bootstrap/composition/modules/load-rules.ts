import type { Decorate, UseCases } from '#application/application.ts';
import type { AdapterModule } from '../../config/adapter-module.ts';
import { SettingError } from '../../config/env-parser.ts';
import { guardExit } from '../../process/exit-guard.ts';
import { loadModule } from './load-adapter.ts';
import { exitLine, factoryError } from './module-errors.ts';

/**
 * Loads rules from outside, which wrap the use cases.
 * @returns `decorate`, which throws a SettingError when it fails, or leaves out a use case or changes its kind
 * @throws SettingError when the module cannot be used
 */
export const loadRules = async (module: AdapterModule): Promise<Decorate> => {
  const { decorate } = await loadModule(module);
  return (useCases) => {
    const decorated = call(module, decorate as Decorate, useCases);
    for (const [resource, cases] of Object.entries(useCases)) {
      for (const [name, useCase] of Object.entries(cases)) {
        const kind = kindOf(useCase);
        const found = (decorated as Nested | undefined)?.[resource]?.[name];
        if (kindOf(found) === kind) continue;
        const remedy = `Wrap it with ${kind}(), and keep the others: { ...useCases.${resource}, ${name}: … }.`;
        throw new SettingError(
          module.setting,
          `names ${module.file}, whose decorate must return ${resource}.${name}, a ${kind}. ${remedy}`,
        );
      }
    }
    return decorated;
  };
};

type Nested = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** The kind of a use case; for what is none, such as the phases of a recovery, its type. */
const kindOf = (value: unknown): string =>
  (value as { readonly kind?: string } | undefined)?.kind ?? typeof value;

const call = (module: AdapterModule, decorate: Decorate, useCases: UseCases): ReturnType<Decorate> => {
  const endGuard = guardExit(exitLine(module, 'whose decorate'));
  try {
    return decorate(useCases);
  } catch (error) {
    throw factoryError(module, error);
  } finally {
    endGuard();
  }
};
