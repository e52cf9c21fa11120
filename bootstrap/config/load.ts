import { statSync } from 'node:fs';
import { type Config, readConfig } from './config.ts';
import { type Environment, SettingError } from './env-parser.ts';

/** What the environment says, and of what it does not say, the file `.env` of the folder where the command runs. */
const environment = (): Environment => {
  const file = statSync('.env', { throwIfNoEntry: false });
  // What Docker makes of a file that is to be mounted and is not there.
  if (file?.isDirectory())
    throw new SettingError('.env', 'is a folder, where a file with settings should be, or none.');
  if (file !== undefined) process.loadEnvFile('.env');
  return process.env;
};

/** @throws SettingError */
export const loadConfig = (): Config => readConfig(environment());
