import { describeRules } from './rule-suite.ts';
import { keyRules } from './rules/keys.ts';
import { pathRules } from './rules/paths.ts';
import { responseRules } from './rules/responses.ts';
import { versionRules } from './rules/versions.ts';

describeRules('Every route', [...pathRules, ...responseRules, ...keyRules, ...versionRules]);
