import type { Violation } from '../violations.ts';
import { judgeCaptures } from './captures.ts';
import { judgeCharges } from './charges.ts';
import { judgeDisputes } from './disputes.ts';
import { judgeErasures } from './erasures.ts';
import type { Evidence } from './evidence.ts';
import { judgeLive } from './live.ts';
import { judgeMoney } from './money.ts';
import { judgeRefunds } from './refunds.ts';
import { judgeResponses } from './responses.ts';
import { judgeRows } from './rows.ts';
import { judgeSecrets } from './secrets.ts';
import { judgeSeenRefunds } from './seen-refunds.ts';
import { judgeStock } from './stock.ts';
import { judgeUnfinished } from './unfinished.ts';

/** What needs no response to a client. */
const judgesOfMoneyAndGoods = [
  judgeCharges,
  judgeRefunds,
  judgeCaptures,
  judgeDisputes,
  judgeLive,
  judgeStock,
  judgeMoney,
];

const judges = [
  ...judgesOfMoneyAndGoods,
  judgeResponses,
  judgeSeenRefunds,
  judgeRows,
  judgeUnfinished,
  judgeErasures,
  judgeSecrets,
];

/** Compares the provider and the rows, once everything has ended. */
export const judgeMoneyAndGoods = (
  evidence: Pick<Evidence, 'ledger' | 'rows' | 'stockBefore'>,
): Violation[] => judgesOfMoneyAndGoods.flatMap((each) => each(evidence));

/** Compares provider, database and clients, once everything has ended. */
export const judge = (evidence: Evidence): Violation[] => judges.flatMap((each) => each(evidence));
