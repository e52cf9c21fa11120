import { expect } from 'chai';
import type { ProviderRefund } from '#application/ports/charge-lifecycle.ts';
import type { DisputeDetails } from '#domain/dispute.ts';
import { Instant } from '#domain/instant.ts';
import { kindOf } from '../error-kind.ts';
import { disputed, euros, externalRefund, type PaidShop, paidShop } from './paid-shop.ts';
import { succeeds } from './reconciled-shop.ts';

const minute = 60_000;
const hour = 60 * minute;
const dollars = (amount: number) => ({ amount, currency: 'USD' });

describe('A mismatch', () => {
  let paid: PaidShop;
  beforeEach(async () => {
    paid = await paidShop();
  });

  const mismatchedRefund = { ...externalRefund('re_bad', 100), amount: dollars(100) };
  const mismatchedDispute = { ...disputed('dp_bad', 100), amount: dollars(100) };

  it('holds back no other refund or dispute, in whatever order they are reported', async () => {
    for (const reversed of [false, true]) {
      paid = await paidShop();
      const refunds = [mismatchedRefund, externalRefund('re_x', 100)];
      const disputes = [mismatchedDispute, disputed('dp_x', 50)];
      const differences = await paid.reports(
        reversed ? refunds.toReversed() : refunds,
        reversed ? disputes.toReversed() : disputes,
      );
      expect(differences).to.deep.equal([
        `Its refund re_bad is of 100 USD, of ${reversed ? paid.total - 100 : paid.total} EUR.`,
        `Its dispute dp_bad is of 100 USD, of ${paid.total} EUR.`,
      ]);
      expect((await paid.refunds()).map((row) => row.providerReference)).to.deep.equal(['re_x']);
      expect((await paid.disputes()).map((row) => row.providerReference)).to.deep.equal(['dp_x']);
      expect(await paid.current()).to.deep.include({ refunded: euros(100), disputed: euros(50) });
    }
  });

  it('holds back no refund of ours that ends, and one of ours holds back no other', async () => {
    const [first, second] = [await paid.refund(100), await paid.refund(50)];
    const reported = (refund: typeof first, more: Partial<ProviderRefund> = {}): ProviderRefund => ({
      ...{ reference: `re_${refund.id}`, refundId: refund.id, amount: refund.amount },
      ...{ status: 'succeeded', failure: null },
      ...more,
    });
    await paid.reports([reported(first, { amount: euros(1) }), reported(second), mismatchedRefund]);
    expect((await paid.refunds()).map(({ status }) => status)).to.deep.equal(['pending', 'succeeded']);
    expect(await paid.current()).to.deep.include({ refunded: euros(50), refunding: euros(100) });
  });

  it('is no dispute of more than was paid, which happens when exchange rates change', async () => {
    expect(await paid.reports([], [disputed('dp_x', paid.total + 1)])).to.deep.equal([]);
    expect(await paid.current()).to.deep.include({ disputed: euros(paid.total + 1) });
    const never = [disputed('dp_y', -1), disputed('dp_z', 0.5), disputed('dp_0', Number.MAX_SAFE_INTEGER)];
    expect(await paid.reports([], never)).to.have.length(never.length);
    expect(await paid.disputes()).to.have.length(1);
  });

  describe('and is looked up', () => {
    let process: ReturnType<PaidShop['shop']['aProcess']>;
    beforeEach(() => {
      process = paid.shop.aProcess();
    });

    const reportsAt = async (
      kind: 'charge' | 'refund' | 'dispute',
      refunds: readonly ProviderRefund[],
      disputes: readonly DisputeDetails[] = [],
    ) => {
      const { shop, payment, reference } = paid;
      shop.becomes(payment.id, succeeds(reference), refunds, disputes);
      shop.provider.belongs('another', reference);
      await shop.enqueue({ kind, reference: kind === 'charge' ? reference : 'another' });
      expect((await process.reconcileCharges()).errors).to.deep.equal([]);
    };

    it('is reported hourly, once for its charge, however many events name it', async () => {
      const { shop, payment, reference } = paid;
      for (const kind of ['refund', 'dispute', 'charge'] as const)
        await reportsAt(kind, [mismatchedRefund], [mismatchedDispute]);
      expect(process.mismatches).to.deep.equal(Array.from({ length: 6 }, () => payment.id));
      for (const kind of ['refund', 'dispute'] as const)
        expect(await shop.find({ kind, reference: 'another' })).to.equal(undefined);
      process.mismatches.splice(0);
      const asked = await shop.askedWithin(process, 3 * hour, minute);
      expect(asked).to.deep.equal([3_600, 7_200]);
      expect(process.mismatches).to.have.length(4);
      expect(process.results.every((result) => result === 'failed')).to.equal(true);
      shop.becomes(payment.id, succeeds(reference));
      await shop.askedWithin(process, 2 * hour, minute);
      expect(process.mismatches).to.have.length(4);
      expect(await shop.find({ kind: 'charge', reference })).to.equal(undefined);
    });

    it('leaves the schedule of a refund that waits beside it', async () => {
      const { id, amount } = await paid.refund(100);
      const waits: ProviderRefund = {
        ...{ reference: `re_${id}`, refundId: id, amount, status: 'pending', failure: null },
      };
      await reportsAt('charge', [waits], [mismatchedDispute]);
      const { shop, reference } = paid;
      expect(await shop.find({ kind: 'charge', reference })).to.include({
        dueAt: Instant.plus(shop.now(), 10 * minute),
      });
    });

    it('after a refund of ours was declined is reported, too, and the refund fails', async () => {
      const { shop, payment, reference } = paid;
      shop.becomes(payment.id, succeeds(reference), [mismatchedRefund]);
      shop.provider.refunds(async () => ({ declined: { code: 'no', message: 'No.' } }));
      expect(await kindOf(paid.refund(100))).to.equal('payment-declined');
      expect((await paid.refunds()).map(({ status }) => status)).to.deep.equal(['failed']);
      await process.reconcileCharges();
      expect(process.mismatches).to.deep.equal([payment.id]);
    });
  });
});
