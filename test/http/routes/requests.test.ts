import { describeRules } from './rule-suite.ts';
import { callerRules } from './rules/callers.ts';
import { requestRules } from './rules/requests.ts';

describeRules('A request to every route', [...callerRules, ...requestRules]);
