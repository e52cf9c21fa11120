import { expect } from 'chai';
import fc from 'fast-check';
import type { ProviderRefund } from '#application/ports/charge-lifecycle.ts';
import { type DisputeDetails, disputeStatuses } from '#domain/dispute.ts';
import { disputed, externalRefund, paidShop } from './paid-shop.ts';

interface Bank {
  readonly refunds: readonly ProviderRefund[];
  readonly disputes: readonly DisputeDetails[];
}

const sumOf = (
  refunds: readonly { readonly status: string; readonly amount: { amount: number } }[],
  status: string,
) => refunds.filter((each) => each.status === status).reduce((sum, { amount }) => sum + amount.amount, 0);

/** What happens at the provider: a refund begins, one moves on, a dispute begins or moves. */
const events = fc.array(
  fc.record({
    what: fc.constantFrom('refund', 'end', 'fail', 'dispute', 'judge'),
    which: fc.nat(5),
    amount: fc.integer({ min: 1, max: 300 }),
    status: fc.constantFrom(...disputeStatuses),
  }),
  { maxLength: 12 },
);

type Event = typeof events extends fc.Arbitrary<readonly (infer E)[]> ? E : never;

const replaced = <T>(all: readonly T[], which: number, by: (one: T) => T): readonly T[] =>
  all.map((one, index) => (index === which % all.length ? by(one) : one));

const after = ({ refunds, disputes }: Bank, event: Event, total: number): Bank => {
  const left = total - sumOf(refunds, 'pending') - sumOf(refunds, 'succeeded');
  const { what, which, amount, status } = event;
  const ends = (from: readonly string[], to: 'succeeded' | 'failed') =>
    replaced(refunds, which, (one) =>
      from.includes(one.status) ? externalRefund(one.reference, one.amount.amount, to) : one,
    );
  if (what === 'refund' && left > 0)
    return {
      disputes,
      refunds: [...refunds, externalRefund(`re_${refunds.length}`, Math.min(amount, left), 'pending')],
    };
  if (what === 'end') return { disputes, refunds: ends(['pending'], 'succeeded') };
  if (what === 'fail') return { disputes, refunds: ends(['pending', 'succeeded'], 'failed') };
  if (what === 'dispute' && disputes.length < 3)
    return {
      refunds,
      disputes: [...disputes, disputed(`dp_${disputes.length}`, Math.min(amount, total), status)],
    };
  return { refunds, disputes: replaced(disputes, which, (one) => ({ ...one, status })) };
};

describe('Movements at the provider', () => {
  it('that are reported again, in reverse and late leave rows with the sums of the provider', async () => {
    await fc.assert(
      fc.asyncProperty(events, fc.array(fc.nat(12), { maxLength: 12 }), async (happened, reported) => {
        const paid = await paidShop();
        const history: Bank[] = [{ refunds: [], disputes: [] }];
        for (const event of happened)
          history.push(after(history.at(-1) ?? { refunds: [], disputes: [] }, event, paid.total));
        const reverse = (bank: Bank): Bank => ({
          refunds: bank.refunds.toReversed(),
          disputes: bank.disputes.toReversed(),
        });
        for (const [index, at] of reported.entries()) {
          const state = history[at % history.length];
          if (state === undefined) continue;
          const { refunds, disputes } = index % 2 === 0 ? state : reverse(state);
          await paid.reports(refunds, disputes);
        }
        const last = history.at(-1) ?? { refunds: [], disputes: [] };
        await Promise.all([
          paid.reports(last.refunds, last.disputes),
          paid.reports(last.refunds, last.disputes),
        ]);

        const rows = await paid.refunds();
        const payment = await paid.current();
        for (const status of ['pending', 'succeeded', 'failed'])
          expect(sumOf(rows, status), status).to.equal(sumOf(last.refunds, status));
        expect(rows).to.have.length(last.refunds.length);
        expect(payment.refunded.amount).to.equal(sumOf(rows, 'succeeded'));
        expect(payment.refunding.amount).to.equal(sumOf(rows, 'pending'));
        expect(await paid.disputes()).to.have.length(last.disputes.length);
        const counted = ['needs_response', 'under_review', 'lost'].map((status) =>
          sumOf(last.disputes, status),
        );
        expect(payment.disputed.amount).to.equal(counted.reduce((sum, each) => sum + each, 0));
        const whole = payment.refunded.amount === paid.total ? 'refunded' : 'partially_refunded';
        expect(payment.status).to.equal(payment.refunded.amount === 0 ? 'succeeded' : whole);
      }),
      { numRuns: 60 },
    );
  });
});
