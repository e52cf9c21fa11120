import { browsers, credentials } from './access.ts';
import { events, payments } from './commerce.ts';
import type { SettingGroup } from './description.ts';
import { limits, listeners } from './listeners.ts';
import { database, logs, modules, secretFiles } from './storage.ts';

/** Every setting once, in the order of docs/settings.md and .env.example. A test holds them to what `readConfig` reads. */
export const settingGroups: readonly SettingGroup[] = [
  database,
  credentials,
  listeners,
  payments,
  events,
  limits,
  browsers,
  modules,
  secretFiles,
  logs,
];
