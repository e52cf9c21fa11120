import { type Config, loadConfig } from '../config/config.ts';
import { misspeltSettings } from './misspelt-settings.ts';

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
