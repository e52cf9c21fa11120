import { describeRules } from './rule-suite.ts';
import { expansionRules } from './rules/expansions.ts';
import { listRules } from './rules/lists.ts';

describeRules('Every list, and every route that expands', [...listRules, ...expansionRules]);
