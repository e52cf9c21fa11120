import { expect } from 'chai';
import type { Caller, ExpectedVersions } from '#application/preconditions.ts';
import type { MetadataPatch } from '#domain/metadata.ts';
import type { Payment } from '#domain/payment.ts';
import type { Refund } from '#domain/refund.ts';
import { ofEachTest } from '../support/of-each-test.ts';
import { invalidFieldsOf, kindOf } from './error-kind.ts';
import { euros, nowhere } from './fixture.ts';
import { aWorld } from './world.ts';

describe('The metadata of a payment and of its refunds', () => {
  const world = ofEachTest(aWorld);
  let payment: Payment;
  let refund: Refund;
  beforeEach(async () => {
    ({ payment } = await world.purchase(await world.product({ price: euros(500) })));
    refund = await world.refund(world.staff, payment, { amount: euros(100) });
    payment = await world.current('payments', payment);
  });

  const change = (
    caller: Caller,
    metadata?: MetadataPatch,
    {
      id,
      expectedVersions,
    }: { readonly id?: Payment['id']; readonly expectedVersions?: ExpectedVersions } = {},
  ): Promise<Payment> =>
    world.run(world.useCases.payments.change, caller, {
      id: id ?? payment.id,
      expectedVersions,
      ...(metadata && { metadata }),
    });

  const changeRefund = (caller: Caller, metadata?: MetadataPatch): Promise<Refund> =>
    world.run(world.useCases.refunds.change, caller, {
      id: refund.id,
      expectedVersions: undefined,
      ...(metadata && { metadata }),
    });

  it('are merged name by name, and nothing else changes', async () => {
    await change(world.staff, { invoice: '7', till: 'A' });
    const after = await change(world.admin, { till: null, shift: 'late' });
    expect(after).to.deep.equal({
      ...payment,
      metadata: { invoice: '7', shift: 'late' },
      version: payment.version + 2,
      updatedAt: after.updatedAt,
    });
    expect(await world.current('payments', payment)).to.deep.equal(after);
    const changed = await changeRefund(world.staff, { parcel: '1Z' });
    expect(changed).to.deep.equal({
      ...refund,
      metadata: { parcel: '1Z' },
      version: refund.version + 1,
      updatedAt: changed.updatedAt,
    });
    expect(await world.current('refunds', refund)).to.deep.equal(changed);
  });

  it('stay when nothing is sent, and so does the version', async () => {
    expect(await change(world.ada)).to.deep.equal(payment);
    expect(await changeRefund(world.staff)).to.deep.equal(refund);
  });

  it('are written by staff only, after existence and ownership, before preconditions', async () => {
    const stale = { expectedVersions: [99] };
    expect(await kindOf(change(world.ada, {}, { id: nowhere() }))).to.equal('not-found');
    expect(await kindOf(change(world.bob))).to.equal('forbidden');
    expect(await kindOf(change(world.ada, {}, stale))).to.equal('forbidden');
    expect(await kindOf(change(world.staff, {}, stale))).to.equal('precondition-failed');
    expect(await kindOf(changeRefund(world.ada, {}))).to.equal('forbidden');
    expect(await world.current('payments', payment)).to.deep.equal(payment);
  });

  it('are valid after the merge', async () => {
    const full = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`n${index}`, '']));
    await change(world.staff, full);
    expect(await invalidFieldsOf(change(world.staff, { more: '' }))).to.deep.equal(['metadata']);
    await change(world.staff, { more: '', n0: null });
    expect(await invalidFieldsOf(changeRefund(world.staff, { a: 'x'.repeat(501) }))).to.deep.equal([
      'metadata',
    ]);
  });

  it('survive a refund, and may change while a payment or a refund is pending', async () => {
    const late = world.provider.answersLate();
    const giving = world.refund(world.staff, payment);
    await late.called;
    await change(world.staff, { note: 'asked twice' });
    late.respond();
    await giving;
    expect(await world.current('payments', payment)).to.deep.include({
      status: 'refunded',
      metadata: { note: 'asked twice' },
    });
  });
});
