import { type Violation, violation } from '../violations.ts';
import type { Judge } from './evidence.ts';

/** What a payer has to do is in no database, log or metric. */
export const judgeSecrets: Judge = ({ leaks }) => leaks.map((leak): Violation => violation('secrets', leak));
