import { expect } from 'chai';
import { localKinds } from '../../support/test-databases.ts';
import type { Json } from '../support/client.ts';
import { expectCreated } from '../support/expectations.ts';
import { describeServiceInSimulatedTime } from '../support/service.ts';
import { newOrder, newProduct, pay, refund } from '../support/shop.ts';
import { describeLateDecision } from './provider-events.suite.ts';

describeLateDecision(localKinds);

describeServiceInSimulatedTime(
  'The sandbox',
  { PROVIDER_EVENTS_POLL_MS: '100' },
  (service) => {
    it('tells what it decides later, and each is recorded', async () => {
      const customer = await service.person('customer');
      const staff = await service.person('staff');
      const product = await newProduct(service);
      const paid = async (method: string): Promise<Json> =>
        expectCreated(await pay(customer, await newOrder(customer, product), method), '/v1/payments');
      const processing = await paid('tok_processing');
      const failing = await paid('tok_processing_failed');
      const refunded = await paid('tok_refund_pending');
      const pending = expectCreated(await refund(staff, refunded), '/v1/refunds');
      expect([processing.status, failing.status, pending.status]).to.deep.equal([
        'processing',
        'processing',
        'pending',
      ]);
      const statusOf = async (path: string): Promise<string> => (await staff.get(path)).body.data.status;
      const statuses = await service.until(
        () =>
          Promise.all([
            ...[processing, failing, refunded].map(({ id }) => statusOf(`/v1/payments/${id}`)),
            statusOf(`/v1/refunds/${pending.id}`),
          ]),
        ([first, second, , last]) => first !== 'processing' && second !== 'processing' && last !== 'pending',
        20_000,
      );
      expect(statuses).to.deep.equal(['succeeded', 'failed', 'refunded', 'succeeded']);
    });
  },
  { kind: 'sqlite' },
);
