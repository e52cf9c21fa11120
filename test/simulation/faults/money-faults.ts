import type { Fault } from './fault.ts';
import {
  addingNoCapture,
  askingByItself,
  believing,
  cancelingUnasked,
  capturingAgain,
  comparingNoAmount,
  comparingNoCapture,
  comparingNoRefund,
  decliningThePayer,
  deletingHints,
  ignoringCancellations,
  ignoringLateFailures,
  withoutSecondTry,
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
  'an amount of a refund not compared': {
    planted: { ports: comparingNoRefund('amount') },
    sign: /The refund \S+ is not as the provider has it/,
  },
  'a refund of another charge not noticed': {
    planted: { ports: comparingNoRefund('id', 'chargeReference') },
    sign: /The refund \S+ is succeeded, and no money has moved/,
  },
  'an amount of a capture not compared': {
    planted: { ports: comparingNoCapture('amount') },
    sign: /The capture \S+ is not as the provider has it/,
  },
  'a capture of another payment not noticed': {
    planted: { ports: comparingNoCapture('id') },
    sign: /The payment \S+ is succeeded, and no money has moved/,
  },
  'a server that knows only when it has asked the provider itself': {
    planted: { ports: askingByItself },
    sign: /was asked twice within a second/,
  },
  'a cancellation in the dashboard ignored': {
    planted: { ports: ignoringCancellations },
    sign: /is still \w+, and its charge is canceled/,
  },
  'a capture in the dashboard without its row': {
    planted: {
      ports: (given) => withRepositories(given, (to) => ({ captures: addingNoCapture(to) })),
    },
    sign: /Of the capture \w+ nothing is known here/,
  },
  'an order without a second try': {
    planted: { ports: withoutSecondTry },
    sign: /was canceled before its time/,
  },
};
