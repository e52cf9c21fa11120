import { inspect } from 'node:util';
import { expect } from 'chai';
import { pino } from 'pino';
import type { ApplicationError } from '#application/errors.ts';
import { freePort } from '../../bootstrap/support/ports.ts';
import { aCharge, aRefundRequest } from '../../contracts/payment-provider.ts';
import type { Script } from '../../stripe/canned.ts';
import { forEachCase } from '../../support/for-each-case.ts';
import { cannedServers, openOutcomeOf, secretKey, stripeAt } from './stripe.ts';

/** All that anybody could ever print of it, and what a log does. */
const everythingIn = (error: ApplicationError): string => {
  const lines: string[] = [];
  pino({}, { write: (line: string) => lines.push(line) }).error({ err: error });
  return [JSON.stringify(error), inspect(error, { depth: Infinity, showHidden: true }), ...lines].join('\n');
};

const error = (status: number, details: Readonly<Record<string, string>>, headers = {}) => ({
  status,
  headers: { 'Request-Id': 'req_1', ...headers },
  body: { error: details },
});

describe('When Stripe fails', () => {
  const canned = cannedServers();
  const paymentMethod = 'pm_1NotToBeSeenAnywhere';
  const chargeWith = async (response: Script[string]) => {
    const { url } = await canned({ 'POST /v1/payment_intents': response, 'POST /v1/refunds': response });
    return stripeAt(url);
  };

  it('with any status and error, or talks nonsense, the outcome is unknown', () =>
    forEachCase(
      [
        ['refuses our key', error(401, { type: 'invalid_request_error', message: 'Invalid API Key.' })],
        ['does not permit it', error(403, { type: 'invalid_request_error', message: 'Not permitted.' })],
        [
          'has no such address',
          error(404, { type: 'invalid_request_error', message: 'Unrecognized request URL.' }),
        ],
        [
          'has a lock on it',
          error(429, { type: 'invalid_request_error', code: 'lock_timeout', message: 'Locked.' }),
        ],
        [
          'limits our rate',
          error(429, { type: 'invalid_request_error', code: 'rate_limit', message: 'Too many.' }),
        ],
        [
          'is at it already',
          error(409, { type: 'idempotency_error', code: 'idempotency_key_in_use', message: 'In use.' }),
        ],
        ['does not say whether it is over', error(409, { type: 'idempotency_error', message: 'Conflict.' })],
        [
          'is at it already, by another status',
          error(400, { type: 'idempotency_error', code: 'idempotency_key_in_use', message: 'In use.' }),
        ],
        ['conflicts', error(409, { type: 'invalid_request_error', message: 'Conflict.' })],
        ['is broken', error(500, { type: 'api_error', message: 'Broken.' })],
        ['is away', { status: 503, body: '<html>Unavailable</html>' }],
        ['talks nonsense', { status: 200, body: '<html>Welcome</html>' }],
      ] as const,
      async ([, response]) => {
        const provider = await chargeWith(response);
        await openOutcomeOf(provider.charge(aCharge(paymentMethod)), 'provider-failed');
        await openOutcomeOf(provider.refund(aRefundRequest('pi_1')), 'provider-failed');
        await openOutcomeOf(provider.closeCharge(aCharge(paymentMethod)), 'provider-failed');
      },
    ));

  it('because it is unreachable, the outcome is unknown', async () => {
    const provider = stripeAt(`http://127.0.0.1:${await freePort()}`);
    const { cause } = await openOutcomeOf(provider.charge(aCharge(paymentMethod)), 'provider-failed');
    expect(cause)
      .to.have.property('message')
      .that.matches(/ECONNREFUSED/);
    await openOutcomeOf(provider.refund(aRefundRequest('pi_1')), 'provider-failed');
    await openOutcomeOf(provider.closeCharge(aCharge(paymentMethod)), 'provider-failed');
    await openOutcomeOf(provider.closeRefund(aRefundRequest('pi_1')), 'provider-failed');
  });

  it('an operator gets its message', async () => {
    const provider = await chargeWith(
      error(401, { type: 'invalid_request_error', message: 'Invalid API Key.' }),
    );
    const rejection = await openOutcomeOf(provider.charge(aCharge(paymentMethod)), 'provider-failed');
    expect(rejection.cause).to.include({
      message: 'Invalid API Key.',
      type: 'StripeAuthenticationError',
      status: 401,
      requestId: 'req_1',
    });
    expect(everythingIn(rejection))
      .to.match(/Invalid API Key\./)
      .and.match(/req_1/);
  });

  it('the secret key and the payment method are redacted in every message', async () => {
    const message = `What is ${secretKey} and ${paymentMethod}?`;
    for (const response of [
      error(401, { type: 'invalid_request_error', message }, { 'X-Echo': secretKey }),
      error(429, { type: 'invalid_request_error', message, payment_method: paymentMethod }),
      error(500, { type: 'api_error', message, source: paymentMethod }),
      { status: 200, body: message },
    ]) {
      const provider = await chargeWith(response);
      const rejection = await openOutcomeOf(provider.charge(aCharge(paymentMethod)), 'provider-failed');
      expect(everythingIn(rejection)).to.not.include(secretKey).and.not.include(paymentMethod);
      expect(everythingIn(rejection)).to.not.match(/Bearer|Authorization/i);
    }
    const provider = await chargeWith(error(402, { type: 'card_error', code: 'card_declined', message }));
    expect(await provider.charge(aCharge(paymentMethod))).to.deep.equal({
      declined: { code: 'card_declined', message: 'What is … and …?' },
    });
  });
});
