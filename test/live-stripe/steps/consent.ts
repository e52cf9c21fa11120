import { summary } from '../shop.ts';
import type { Step } from '../step.ts';

const asked = (method: string): Step => ({
  name: `${method} asks the payer who is present, and can be given up`,
  run: async (shop, observe) => {
    const order = await shop.newOrder();
    const fields = { payer_present: true, return_url: 'https://shop.example/back' };
    const response = await shop.pay(order, method, fields);
    observe('response', summary(response), '201 requires_action');
    observe('caches', response.headers.get('Cache-Control'), 'no-store');
    const payment = response.body.data;
    observe('next action', payment.next_action?.type, 'redirect');
    observe(
      'second payment of the order',
      summary(await shop.pay(order, 'pm_card_visa')),
      '409 INVALID_STATE',
    );
    const read = await shop.get(`payments/${payment.id}`);
    observe('next action, read again', read.next_action?.type, 'redirect');
    observe('cancellation', summary(await shop.cancel(payment)), '200 canceled');
    const { status } = await shop.stripe.paymentIntents.retrieve(payment.provider_reference);
    observe('intent at Stripe', status, 'canceled');
    observe('another card', summary(await shop.pay(order, 'pm_card_visa')), '201 succeeded');
  },
});

const askedInPage: Step = {
  name: 'pm_card_threeDSecure2Required without a return URL gives a secret for the library of Stripe',
  run: async (shop, observe) => {
    const response = await shop.pay(await shop.newOrder(), 'pm_card_threeDSecure2Required', {
      payer_present: true,
    });
    observe('response', summary(response), '201 requires_action');
    const { next_action: action, provider_reference: reference } = response.body.data;
    observe('next action', action?.type, 'provider_sdk');
    observe('secret of the intent', String(action?.client_secret).startsWith(`${reference}_secret_`), true);
    observe('cancellation', summary(await shop.cancel(response.body.data)), '200 canceled');
  },
};

const tokened: Step = {
  name: 'a ConfirmationToken is charged, or asks the payer in the page, at an address, or not at all',
  run: async (shop, observe) => {
    const pay = async (payment_method: string, fields: object) => {
      const { id } = await shop.stripe.testHelpers.confirmationTokens.create({ payment_method });
      return shop.pay(await shop.newOrder(), id, fields);
    };
    observe('charge', summary(await pay('pm_card_visa', { payer_present: true })), '201 succeeded');
    for (const [fields, action] of [
      [{}, 'provider_sdk'],
      [{ return_url: 'https://shop.example/back' }, 'redirect'],
    ] as const) {
      const response = await pay('pm_card_authenticationRequired', { payer_present: true, ...fields });
      observe('response', summary(response), '201 requires_action');
      observe('next action', response.body.data.next_action?.type, action);
      observe('cancellation', summary(await shop.cancel(response.body.data)), '200 canceled');
    }
    observe('absent payer', summary(await pay('pm_card_authenticationRequired', {})), '422 PAYMENT_DECLINED');
  },
};

const unasked: Step = {
  name: 'pm_card_visa is charged at once where the payer is present',
  run: async (shop, observe) => {
    const order = await shop.newOrder();
    const response = await shop.pay(order, 'pm_card_visa', { payer_present: true });
    observe('response', summary(response), '201 succeeded');
    observe('order', await shop.orderStatus(order), 'paid');
  },
};

/** The consent itself is given on a page of Stripe, in a browser. */
export const consentSteps: readonly Step[] = [
  unasked,
  asked('pm_card_threeDSecure2Required'),
  asked('pm_card_authenticationRequired'),
  askedInPage,
  tokened,
];
