import { expect } from 'chai';
import { sandboxProvider } from '#adapters/payment/sandbox/provider.ts';
import { openMemory } from '#adapters/persistence/memory/open.ts';
import type { Store } from '#adapters/persistence/store.ts';
import { ApplicationError, UnavailableError } from '#application/errors.ts';
import type { Charge, RefundRequest } from '#application/ports/payment-provider.ts';
import { atOnce, rejectionOf } from '../../../contracts/harness.ts';
import { machineClock, newId } from '../../../support/machine.ts';
import { SimulatedTime } from '../../../support/simulated-time.ts';

const amount = { amount: 450, currency: 'EUR' };

const aCharge = (paymentMethod = 'tok_ok'): Charge => ({
  ...{ paymentId: newId(), amount, age: 0, paymentMethod },
});

const aRefundRequest = (): RefundRequest => ({ refundId: newId(), chargeReference: 'sandbox_1', amount });

const outcomeOf = ({ paymentId: id }: Charge) => ({ reference: `sandbox_${id}`, amount, id });

const notCharged = {
  declined: { code: 'not_charged', message: 'The provider never received the charge.' },
};
const notRefunded = {
  declined: { code: 'not_refunded', message: 'The provider never received the refund.' },
};

/** Whether it responds without another timer. */
const responds = (promise: Promise<unknown>): Promise<boolean> =>
  Promise.race([
    promise.then(() => true),
    new Promise<false>((resolve) => setImmediate(() => resolve(false))),
  ]);

describe('The sandbox', () => {
  let ledger: Store['sandboxLedger'];
  let time: SimulatedTime;
  /** As if it had just been started, with the books as they are. */
  const provider = () => sandboxProvider(ledger, machineClock);
  beforeEach(async () => {
    ledger = (await openMemory()).sandboxLedger;
    time = new SimulatedTime();
  });
  afterEach(() => time.end());

  const providerFailed = (rejection: unknown): void => {
    expect(rejection).to.be.instanceOf(ApplicationError).with.property('kind', 'provider-failed');
  };

  it('charges with tok_ok, and has a reference for each charge', async () => {
    const [one, other] = [aCharge(), aCharge()];
    expect(await provider().charge(one)).to.deep.equal(outcomeOf(one));
    expect(await provider().charge(other)).to.deep.equal(outcomeOf(other));
  });

  it('declines with tok_declined, and any payment method that it does not know', async () => {
    const codes: [string, string][] = [
      ['tok_declined', 'card_declined'],
      ['tok_unheard_of', 'invalid_payment_method'],
      ['constructor', 'invalid_payment_method'],
    ];
    for (const [method, code] of codes) {
      expect(await provider().charge(aCharge(method))).to.have.nested.property('declined.code', code);
    }
  });

  it('fails with tok_error, and stores no outcome', async () => {
    const charge = aCharge('tok_error');
    providerFailed(await rejectionOf(provider().charge(charge)));
    providerFailed(await rejectionOf(provider().charge(charge)));
    expect(await provider().closeCharge(charge)).to.deep.equal(notCharged);
    expect(await provider().charge(charge)).to.deep.equal(notCharged);
  });

  it('charges with tok_timeout and never responds, except to a retry', async () => {
    const charge = aCharge('tok_timeout');
    expect(await responds(provider().charge(charge))).to.equal(false);
    const outcome = outcomeOf(charge);
    expect(await provider().closeCharge(charge)).to.deep.equal(outcome);
    expect(await provider().charge(charge)).to.deep.equal(outcome);
  });

  it('charges with tok_slow at once and responds after a second', async () => {
    const charge = aCharge('tok_slow');
    const slow = provider().charge(charge);
    expect(await responds(slow)).to.equal(false);
    time.reach(999);
    expect(await responds(slow)).to.equal(false);
    const outcome = outcomeOf(charge);
    expect(await provider().closeCharge(charge)).to.deep.equal(outcome);
    time.reach(1);
    expect(await responds(slow)).to.equal(true);
    expect(await slow).to.deep.equal(outcome);
  });

  it('refunds a charge once for each refund', async () => {
    const request = aRefundRequest();
    const outcome = await provider().refund(request);
    const { refundId: id, chargeReference } = request;
    expect(outcome).to.deep.equal({ reference: `sandbox_${id}`, amount, id, chargeReference });
    expect(await provider().refund(request)).to.deep.equal(outcome);
    expect(await provider().closeRefund(request)).to.deep.equal(outcome);
  });

  it('keeps its first outcome on a charge, after every later request and restart', async () => {
    for (const method of ['tok_ok', 'tok_declined', 'tok_unheard_of']) {
      const charge = aCharge(method);
      const outcome = await provider().charge(charge);
      for (const paymentMethod of ['tok_ok', 'tok_declined', 'tok_error', 'tok_timeout']) {
        expect(await provider().charge({ ...charge, paymentMethod })).to.deep.equal(outcome);
      }
      expect(await provider().closeCharge(charge)).to.deep.equal(outcome);
    }
  });

  it('declines a charge for good that was closed before it arrived', async () => {
    const [charge, request] = [aCharge(), aRefundRequest()];
    expect(await provider().closeCharge(charge)).to.deep.equal(notCharged);
    expect(await provider().closeRefund(request)).to.deep.equal(notRefunded);
    expect(await provider().charge(charge)).to.deep.equal(notCharged);
    expect(await provider().refund(request)).to.deep.equal(notRefunded);
  });

  it('returns one outcome to concurrent charges and closes', async () => {
    const [charge, request] = [aCharge(), aRefundRequest()];
    const ofCharge = atOnce(20, (index) =>
      index % 2 === 0 ? provider().charge(charge) : provider().closeCharge(charge),
    );
    const ofRefund = atOnce(20, (index) =>
      index % 2 === 0 ? provider().closeRefund(request) : provider().refund(request),
    );
    for (const said of [await Promise.all(ofCharge), await Promise.all(ofRefund)]) {
      expect(new Set(said.map((outcome) => JSON.stringify(outcome))).size).to.equal(1);
    }
  });

  it('stores nothing of the payment method in its ledger', async () => {
    const written: string[] = [];
    const spied = sandboxProvider(
      {
        find: ledger.find,
        keep: (id, outcome) => {
          written.push(id, outcome);
          return ledger.keep(id, outcome);
        },
      },
      machineClock,
    );
    const charges = ['tok_ok', 'tok_declined', 'tok_of_a_card_4242', 'tok_slow'].map(aCharge);
    const outcomes = Promise.all(charges.map(spied.charge));
    expect(await responds(outcomes)).to.equal(false);
    time.reach(1_000);
    await outcomes;
    expect(written).to.have.lengthOf(8);
    expect(written.join(' ')).to.not.match(/tok_|4242/);
  });

  it('is as unavailable as the database with its ledger, and passes other errors on, too', async () => {
    const unavailable = new UnavailableError('database-unavailable');
    const away = () => Promise.reject(unavailable);
    const closed = sandboxProvider({ find: away, keep: away }, machineClock);
    expect(await rejectionOf(closed.charge(aCharge()))).to.equal(unavailable);
    expect(await rejectionOf(closed.closeCharge(aCharge()))).to.equal(unavailable);
    expect(await rejectionOf(closed.refund(aRefundRequest()))).to.equal(unavailable);
    expect(await rejectionOf(closed.closeRefund(aRefundRequest()))).to.equal(unavailable);
    const defect = new TypeError('no such table');
    const broken = sandboxProvider({ find: () => Promise.reject(defect), keep: away }, machineClock);
    expect(await rejectionOf(broken.charge(aCharge()))).to.equal(defect);
  });
});
