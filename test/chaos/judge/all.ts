import type { Violation } from '../violations.ts';
import { judgeAnswers } from './answers.ts';
import { judgeCharges } from './charges.ts';
import type { Evidence } from './evidence.ts';
import { judgeMoney } from './money.ts';
import { judgeRefunds } from './refunds.ts';
import { judgeRows } from './rows.ts';
import { judgeStock } from './stock.ts';
import { judgeUnfinished } from './unfinished.ts';

const judges = [judgeCharges, judgeRefunds, judgeAnswers, judgeRows, judgeStock, judgeMoney, judgeUnfinished];

/** Holds what everybody says against each other, once everything is over. */
export const judge = (evidence: Evidence): Violation[] => judges.flatMap((each) => each(evidence));
