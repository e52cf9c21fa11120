import { existsSync } from 'node:fs';
import { type Config, readConfig } from './config.ts';
import type { Environment } from './settings.ts';

/** What the environment says, and of what it does not say, the file `.env` of the folder where the command runs. */
const environment = (): Environment => {
  if (existsSync('.env')) process.loadEnvFile('.env');
  return process.env;
};

/** @throws SettingError */
export const configured = (): Config => readConfig(environment());
