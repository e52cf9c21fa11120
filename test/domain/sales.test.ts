import { expect } from 'chai';
import { disputeStatuses } from '#domain/dispute.ts';
import { Instant } from '#domain/instant.ts';
import { paymentStatuses } from '#domain/payment.ts';
import { Sales, type SalesSums, type StatusSum } from '#domain/sales.ts';
import { later, noon } from '#test/contracts/samples.ts';
import { domainErrorOf } from './domain-error.ts';

const dayMs = 86_400_000;
const period = { from: noon, until: later(dayMs) };

const sum = <S extends string>(status: S, count: number, amount: bigint, currency = 'EUR'): StatusSum<S> => ({
  ...{ status, currency, count, amount },
});

const of = (orders: SalesSums['orders'], refunds: SalesSums['refunds'] = []) =>
  Sales.of(period, { orders, refunds, payments: [], disputes: [] });

const moneyOf = (payments: SalesSums['payments'], disputes: SalesSums['disputes'] = []) =>
  Sales.of(period, { orders: [], refunds: [], payments, disputes });

const eur = (amount: number) => ({ amount, currency: 'EUR' });

describe('A report of sales', () => {
  it('has periods of 24 hours, one behind the other', () => {
    expect(Sales.periods(noon, 3)).to.deep.equal([
      { from: noon, until: later(dayMs) },
      { from: later(dayMs), until: later(2 * dayMs) },
      { from: later(2 * dayMs), until: later(3 * dayMs) },
    ]);
  });

  it('has periods that end where the next day of a time zone begins', () => {
    const hoursOf = (zone: string, from: string) =>
      Sales.periods(from as Instant, 3, zone).map(
        (each) => (Instant.milliseconds(each.until) - Instant.milliseconds(each.from)) / 3_600_000,
      );
    expect(hoursOf('Europe/Vienna', '2026-03-27T23:00:00.000Z')).to.deep.equal([24, 23, 24]);
    expect(hoursOf('Europe/Vienna', '2026-10-24T12:00:00.000Z')).to.deep.equal([10, 25, 24]);
  });

  it('ends before the year 10000', () => {
    const last = Instant.plus(Instant.latest, -2 * dayMs);
    expect(Sales.periods(last, 2).at(-1)?.until).to.equal(Instant.latest);
    const error = domainErrorOf(() => Sales.periods(Instant.plus(last, 1), 2));
    expect(error).to.deep.equal({ kind: 'validation', fields: ['from'] });
    const late = domainErrorOf(() => Sales.periods(Instant.latest, 1, 'America/New_York'));
    expect(late).to.deep.equal(error);
  });

  it('counts orders but canceled ones, and sums those that were paid', () => {
    const orders = [
      sum('pending', 1, 1n),
      sum('paid', 2, 20n),
      sum('fulfilled', 3, 300n),
      sum('refunded', 4, 4_000n),
      sum('canceled', 5, 50_000n),
    ];
    expect(of(orders)).to.deep.equal([
      {
        ...{ ...period, currency: 'EUR', orderCount: 10, paidOrderCount: 9, paid: eur(4_320) },
        ...{ refundCount: 0, refunded: eur(0), captured: eur(0), disputed: eur(0) },
      },
    ]);
  });

  it('sums what was taken, whatever was given back since, and the disputes that are open or lost', () => {
    const payments = paymentStatuses.map((status, place) => sum(status, 1, 10n ** BigInt(place)));
    const disputes = disputeStatuses.map((status, place) => sum(status, 1, 10n ** BigInt(place)));
    expect(moneyOf(payments, disputes)).to.deep.equal([
      {
        ...{ ...period, currency: 'EUR', orderCount: 0, paidOrderCount: 0, paid: eur(0) },
        ...{ refundCount: 0, refunded: eur(0), captured: eur(110_010_000), disputed: eur(10_110) },
      },
    ]);
  });

  it('counts and sums refunds that have succeeded', () => {
    const refunds = [sum('pending', 1, 1n), sum('succeeded', 2, 20n), sum('failed', 3, 300n)];
    expect(of([], refunds)).to.deep.equal([
      {
        ...{ ...period, currency: 'EUR', orderCount: 0, paidOrderCount: 0, paid: eur(0) },
        ...{ refundCount: 2, refunded: eur(20), captured: eur(0), disputed: eur(0) },
      },
    ]);
  });

  it('has a row for each currency, in order, and none for what does not count', () => {
    const orders = [sum('paid', 1, 5n, 'USD'), sum('pending', 1, 5n, 'EUR'), sum('canceled', 1, 5n, 'CHF')];
    const refunds = [sum('succeeded', 1, 5n, 'JPY'), sum('failed', 1, 5n, 'GBP')];
    expect(of(orders, refunds).map(({ currency }) => currency)).to.deep.equal(['EUR', 'JPY', 'USD']);
    expect(of([])).to.deep.equal([]);
    const payments = [sum('succeeded', 1, 5n, 'USD'), sum('failed', 1, 5n, 'CHF'), sum('succeeded', 1, 0n)];
    const disputes = [sum('lost', 1, 5n, 'JPY'), sum('won', 1, 5n, 'GBP')];
    expect(moneyOf(payments, disputes).map(({ currency }) => currency)).to.deep.equal(['JPY', 'USD']);
  });

  it('adds several sums of one status and currency', () => {
    const [row] = of(
      [sum('paid', 1, 5n), sum('paid', 2, 6n)],
      [sum('succeeded', 1, 1n), sum('succeeded', 1, 2n)],
    );
    expect(row).to.include({ orderCount: 3, paidOrderCount: 3, refundCount: 2 });
    expect(row).to.deep.include({ paid: eur(11), refunded: eur(3) });
  });

  it('is exact up to 2^53-1, and rejected beyond', () => {
    const most = BigInt(Number.MAX_SAFE_INTEGER);
    expect(of([sum('paid', 1, most - 1n), sum('fulfilled', 1, 1n)])[0]?.paid.amount).to.equal(Number(most));
    for (const [orders, refunds] of [
      [[sum('paid', 1, most), sum('fulfilled', 1, 1n)], []],
      [[], [sum('succeeded', 2, most + 1n)]],
    ] as const) {
      const error = domainErrorOf(() => of(orders, refunds));
      expect(error).to.deep.equal({ kind: 'validation', fields: ['from'] });
    }
    for (const [payments, disputes] of [
      [[sum('succeeded', 1, most + 1n)], []],
      [[], [sum('lost', 1, most + 1n)]],
    ] as const) {
      const error = domainErrorOf(() => moneyOf(payments, disputes));
      expect(error).to.deep.equal({ kind: 'validation', fields: ['from'] });
    }
  });

  it('sums amounts by status and currency', () => {
    const each = [
      { status: 'paid', amount: eur(1) },
      { status: 'paid', amount: eur(Number.MAX_SAFE_INTEGER) },
      { status: 'paid', amount: { amount: 3, currency: 'JPY' } },
      { status: 'pending', amount: eur(4) },
    ];
    expect(Sales.sum(each)).to.have.deep.members([
      sum('paid', 2, 2n ** 53n),
      sum('paid', 1, 3n, 'JPY'),
      sum('pending', 1, 4n),
    ]);
  });
});
