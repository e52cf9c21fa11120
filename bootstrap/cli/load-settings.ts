import { editDistance } from '#adapters/ops/docs/browser/edit-distance.ts';
import { type Config, loadConfig } from '../config/config.ts';

/**
 * Reads the settings of this process, and reports what may be misspelt in `.env`, once in a process.
 * @param report prints a line; on standard error by default
 * @throws SettingError
 */
export const loadSettings = (report: (line: string) => void = printWarning): Config =>
  loadConfig((names, settings) => {
    for (const line of misspeltSettings(names, settings)) report(line);
  });

const printWarning = (line: string): void => {
  process.stderr.write(`portico: ${line}\n`);
};

/** A longer name may differ in two letters. In a shorter one they would make a name of another program: `APP_HOST`. */
const allowedDistance = (name: string): number => (name.length < 10 ? 1 : 2);

/**
 * Finds variables of `.env` that may be meant for a setting. Names of other programs, such as `POSTGRES_USER`, are none.
 * @param names that no setting has
 * @param settings that have no value
 * @returns a line for each that is almost the name of such a setting
 */
export const misspeltSettings = (names: readonly string[], settings: readonly string[]): readonly string[] =>
  names.flatMap((name) => {
    const meant = meantBy(name, settings);
    return meant === undefined
      ? []
      : [`.env sets ${name}, which is no setting of Portico. Did you mean ${meant}?`];
  });

const meantBy = (name: string, settings: readonly string[]): string | undefined => {
  const bare = name
    .toUpperCase()
    .replaceAll(/[-.]/g, '_')
    .replace(/^PORTICO_/, '');
  // Only secrets can be in files, but other programs read every setting from one.
  return nearestTo(bare, settings) ?? nearestTo(bare.replace(/_(FILE|PATH)$/, ''), settings);
};

const nearestTo = (bare: string, settings: readonly string[]): string | undefined => {
  const [best] = settings
    .map((setting) => ({ setting, distance: editDistance(bare, setting) }))
    .filter(({ setting, distance }) => distance <= allowedDistance(setting))
    .sort((one, other) => one.distance - other.distance);
  return best?.setting;
};
