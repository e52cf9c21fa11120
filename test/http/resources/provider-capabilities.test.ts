import { writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { startApp } from '#bootstrap/composition/app.ts';
import { readConfig } from '#bootstrap/config/config.ts';
import { SettingError } from '#bootstrap/config/env-parser.ts';
import { rejectionOf } from '../../contracts/harness.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import type { ApiResponse, Json } from '../support/client.ts';
import { expectCreated, expectError, expectInvalid, expectOne } from '../support/expectations.ts';
import { type Capability, offeringModule } from '../support/offering-provider.ts';
import { describeService, registered, type Service } from '../support/service.ts';
import { newOrder, newPayment, offered, once, pay, refund } from '../support/shop.ts';

describe('Of a provider from outside', () => {
  const place = temporaryFolder();

  /** The variables of a service whose provider offers this. */
  const offering = (...offered: readonly Capability[]) => {
    const file = place(`${offered.join('-') || 'nothing'}.ts`);
    writeFileSync(file, offeringModule(...offered));
    return { PAYMENT_PROVIDER: file };
  };

  /** Clients of a service, and the requests that need something of its provider. */
  const shopOf = (service: Service) => {
    const staff = registered(service, 'staff');
    const product = offered(service);
    const payWith = async (fields: object): Promise<ApiResponse> => {
      const { id } = await newOrder(staff, product);
      return staff.post('/v1/payments', { order_id: id, payment_method: 'tok_ok', ...fields }, once());
    };
    const cancel = ({ id }: Json) => staff.patch(`/v1/payments/${id}`, { status: 'canceled' }, once());
    const capture = ({ id }: Json) => staff.post('/v1/captures', { payment_id: id }, once());

    it('every charge and refund is made', async () => {
      const payment = await newPayment(staff, await newOrder(staff, product));
      expect(payment).to.include({ status: 'succeeded', provider: 'mine' });
      expect(expectCreated(await refund(staff, payment), '/v1/refunds')).to.include({ status: 'succeeded' });
    });

    return {
      ...{ payWith, cancel, capture },
      asksNoPayer: () =>
        it('no payer is asked, and 422 says why', async () => {
          const response = await payWith({ payer_present: true });
          expectInvalid(response, 'payer_present');
          expect(response.body.error.details[0].message).to.equal(
            'must be false: the payment provider mine cannot ask the payer',
          );
        }),
      capturesAtOnce: () =>
        it('no charge is captured later, and 422 says why', async () => {
          const held = await payWith({ capture: 'manual' });
          expectInvalid(held, 'capture');
          expect(held.body.error.details[0].message).to.equal(
            'cannot be manual: the payment provider mine does not offer it',
          );
          const payment = await newPayment(staff, await newOrder(staff, product));
          const response = await capture(payment);
          expectInvalid(response, 'payment_id');
          expect(response.body.error.details[0].message).to.equal(
            'cannot be captured: the payment provider mine does not offer it',
          );
          expectError(await cancel(payment), 'INVALID_STATE');
        }),
      decidesLater: () =>
        it('a charge that waits for it is recorded as that', async () => {
          const response = await pay(staff, await newOrder(staff, product), 'tok_processing');
          expect(expectCreated(response, '/v1/payments')).to.include({ status: 'processing' });
        }),
    };
  };

  describeService('that offers nothing', offering(), (service) => {
    const { asksNoPayer, capturesAtOnce, payWith } = shopOf(service);
    asksNoPayer();
    capturesAtOnce();

    it('a charge that waits is not recorded, because it could never be asked about', async () => {
      expectError(await payWith({ payment_method: 'tok_processing' }), 'UPSTREAM_FAILED');
    });
  });

  describeService('that can be asked later', offering('findCharge', 'retrieveCharge'), (service) => {
    const { asksNoPayer, capturesAtOnce, decidesLater } = shopOf(service);
    asksNoPayer();
    capturesAtOnce();
    decidesLater();
  });

  describeService('that asks payers', offering('asksPayer', 'cancel'), (service) => {
    const { capturesAtOnce, decidesLater, payWith, cancel } = shopOf(service);
    capturesAtOnce();
    decidesLater();

    it('a payer is asked, and their payment can be canceled', async () => {
      const present = { payment_method: 'tok_action_never', payer_present: true };
      const payment = expectCreated(await payWith(present), '/v1/payments');
      expect(payment).to.include({ status: 'requires_action' });
      expect(payment.next_action).to.include({ type: 'provider_sdk' });
      expect(expectOne(await cancel(payment))).to.include({ status: 'canceled' });
    });
  });

  describeService('that captures later', offering('cancel', 'capture'), (service) => {
    const { asksNoPayer, decidesLater, payWith, cancel, capture } = shopOf(service);
    asksNoPayer();
    decidesLater();

    it('charges are authorized, and captured or canceled then', async () => {
      const held = { capture: 'manual' };
      const [one, other] = [await payWith(held), await payWith(held)].map((response) =>
        expectCreated(response, '/v1/payments'),
      );
      expect(one).to.include({ status: 'authorized' });
      expect(expectCreated(await capture(one ?? expect.fail()), '/v1/captures')).to.include({
        status: 'succeeded',
      });
      expect(expectOne(await cancel(other ?? expect.fail()))).to.include({ status: 'canceled' });
    });
  });

  describeService('that lists events', offering('findChargeOf', 'listProviderEvents'), (service) => {
    const { asksNoPayer, capturesAtOnce, decidesLater } = shopOf(service);
    asksNoPayer();
    capturesAtOnce();
    decidesLater();
  });

  it('that captures at once, a shop cannot capture later by default, and the start says so', async () => {
    for (const offered of [offering(), offering('asksPayer', 'cancel')]) {
      const config = { DATABASE_URL: 'memory:', PORT: '0', OPS_PORT: '0', LOG_LEVEL: 'silent', ...offered };
      const error = await rejectionOf(startApp(readConfig({ ...config, PAYMENT_CAPTURE: 'manual' })));
      expect(error).to.be.instanceOf(SettingError);
      expect((error as SettingError).message).to.equal(
        'PAYMENT_CAPTURE must be automatic: the payment provider mine does not offer to capture later.',
      );
    }
  });

  it('that has no list of events, a shop cannot choose how often it is read, and the start says so', async () => {
    const config = { DATABASE_URL: 'memory:', PORT: '0', OPS_PORT: '0', LOG_LEVEL: 'silent' };
    const settings = {
      ...config,
      ...offering('findCharge', 'retrieveCharge'),
      PROVIDER_EVENTS_POLL_MS: '1000',
    };
    const error = await rejectionOf(startApp(readConfig(settings)));
    expect(error).to.be.instanceOf(SettingError);
    expect((error as SettingError).message).to.equal(
      'PROVIDER_EVENTS_POLL_MS must be 0 or left out: the payment provider mine has no list of events.',
    );
  });
});
