import type { Fault } from './fault.ts';
import {
  believing,
  cancelingUnasked,
  capturingAgain,
  comparingNoAmount,
  decliningThePayer,
  deletingHints,
  ignoringLateFailures,
} from './money-planting.ts';
import { withRepositories } from './planting.ts';

/** Faults in what follows a charge that waits, and in what is done with the provider's news. */
export const moneyFaults: Readonly<Record<string, Fault>> = {
  'an event believed': {
    planted: { hear: believing },
    sign: /is succeeded, and no money has moved|The refund .* is succeeded, and no money/,
  },
  'a cancellation without asking': {
    planted: { ports: cancelingUnasked },
    sign: /is canceled, and its (money has moved|charge is)/,
  },
  'requires_action taken for declined': {
    planted: { ports: decliningThePayer },
    sign: /is failed, and its (money has moved|charge is)/,
  },
  'a late failure ignored': {
    planted: { ports: (given) => ignoringLateFailures()(given) },
    sign: /is succeeded, and at the provider failed/,
  },
  'a hint deleted before its look-up': {
    planted: {
      ports: (given) => withRepositories(given, (to) => ({ lookUps: deletingHints(to) })),
    },
    sign: /nothing is known here|is \w+, and at the provider \w+|has 0 rows|is not as the provider has it/,
  },
  'a second capture': {
    planted: {
      ports: (given) => withRepositories(given, (to) => ({ captures: capturingAgain(to) })),
    },
    sign: /was captured 2 times/,
  },
  'an amount not compared': {
    planted: { ports: comparingNoAmount },
    sign: /is not as the provider has it: 1000 here, and 999 there/,
  },
};
