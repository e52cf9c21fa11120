import { expect } from 'chai';
import { offline } from '#domain/payment.ts';
import { misplacedPaymentField } from '#domain/payment-request.ts';

const returnUrl = 'https://example.com/paid';

describe('The request of a payment', () => {
  it('has a reference from the shop only when it is offline', () => {
    expect(misplacedPaymentField({ paymentMethod: offline, reference: 'Receipt 7' })).to.equal(undefined);
    expect(misplacedPaymentField({ paymentMethod: 'tok_ok' })).to.equal(undefined);
    for (const reference of ['', 'Receipt 7'])
      expect(misplacedPaymentField({ paymentMethod: 'Offline', reference })?.field).to.equal('reference');
  });

  it('has an address to return to only when the payer is present', () => {
    expect(misplacedPaymentField({ paymentMethod: 'tok', payerPresent: true, returnUrl })).to.equal(
      undefined,
    );
    expect(misplacedPaymentField({ paymentMethod: 'tok', payerPresent: true })).to.equal(undefined);
    for (const absent of [{}, { payerPresent: false }])
      expect(misplacedPaymentField({ paymentMethod: 'tok', returnUrl, ...absent })?.field).to.equal(
        'returnUrl',
      );
  });

  it('has no payer to ask when it is offline', () => {
    expect(misplacedPaymentField({ paymentMethod: offline, payerPresent: false })).to.equal(undefined);
    expect(misplacedPaymentField({ paymentMethod: offline, payerPresent: true })?.field).to.equal(
      'payerPresent',
    );
    expect(misplacedPaymentField({ paymentMethod: offline, returnUrl })?.field).to.equal('returnUrl');
  });
});
