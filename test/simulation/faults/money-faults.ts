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
  deletingTasks,
  forgettingWhatWasSeen,
  ignoringCancellations,
  ignoringLateFailures,
  withoutLastTry,
  withoutSecondTry,
} from './money-planting.ts';
import { withRepositories } from './planting.ts';

/** Faults in what follows a charge that waits, and in what is done with the provider's news. */
export const moneyFaults: Readonly<Record<string, Fault>> = {
  'an event believed': {
    planted: { hear: believing },
    sign: /local successes without a charge or refund/,
  },
  'a cancellation without asking': {
    planted: { ports: cancelingUnasked },
    sign: /(charges without a matching row|payments that wait, and the provider does not): .*\(canceled,/,
  },
  'requires_action taken for declined': {
    planted: { ports: decliningThePayer },
    sign: /(charges without a matching row|payments that wait, and the provider does not): .*\(failed,/,
  },
  'a late failure ignored': {
    planted: { ports: (given) => ignoringLateFailures()(given) },
    sign: /refunds without a matching row: \S+ \(failed\) .*\(succeeded,/,
  },
  'a task deleted before its charge is retrieved': {
    planted: {
      ports: (given) => withRepositories(given, (to) => ({ reconciliationTasks: deletingTasks(to) })),
    },
    sign: /(charges|refunds) without a matching row|(captures|disputes) that differ from the provider/,
  },
  'a second capture': {
    planted: {
      ports: (given) => withRepositories(given, (to) => ({ captures: capturingAgain(to) })),
    },
    sign: /was captured 2 times/,
  },
  'an amount not compared': {
    planted: { ports: comparingNoAmount },
    sign: /charges without a matching row: \S+ of 999 EUR: .*\(succeeded, 1000,/,
  },
  'an amount of a refund not compared': {
    planted: { ports: comparingNoRefund('amount') },
    sign: /refunds without a matching row: \S+ \(succeeded\) .*\(succeeded,/,
  },
  'a refund of another charge not noticed': {
    planted: { ports: comparingNoRefund('id', 'chargeReference') },
    sign: /local successes without a charge or refund: refund/,
  },
  'a refund that is not compared with what was seen': {
    planted: { application: forgettingWhatWasSeen },
    sign: /was given, although \d+ was refunded before/,
  },
  'an amount of a capture not compared': {
    planted: { ports: comparingNoCapture('amount') },
    sign: /captures that differ from the provider: \S+ took \d+: capture \S+ of/,
  },
  'a capture of another payment not noticed': {
    planted: { ports: comparingNoCapture('id') },
    sign: /local successes without a charge or refund: payment/,
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
    sign: /captures that differ from the provider: \S+ took \d+: no capture/,
  },
  'an order without a second try': {
    planted: { ports: withoutSecondTry },
    sign: /was canceled before its time/,
  },
  'a second try that begins anew': {
    planted: { ports: withoutLastTry },
    sign: /was given a second try once more/,
  },
};
