import { callerRules } from './callers.ts';
import { expansionRules } from './expansions.ts';
import { keyRules } from './keys.ts';
import { listRules } from './lists.ts';
import { pathRules } from './paths.ts';
import { requestRules } from './requests.ts';
import { responseRules } from './responses.ts';
import type { Rule } from './rule.ts';
import { versionRules } from './versions.ts';

/** What every route has in common, or every route of a kind. */
export const everyRule: readonly Rule[] = [
  ...callerRules,
  ...requestRules,
  ...pathRules,
  ...responseRules,
  ...keyRules,
  ...versionRules,
  ...listRules,
  ...expansionRules,
];
