import { expect } from 'chai';
import { readConfig } from '#bootstrap/config/config.ts';
import { expectInvalid } from '../support/settings.ts';

const stripe = { PAYMENT_PROVIDER: 'stripe', STRIPE_SECRET_KEY: 'sk_test_1' };

/** A module that is any file of this repository, because no setting loads it before the start. */
const someModule = './domain/index.ts';

describe('The settings of a payment provider', () => {
  it('need a secret key for Stripe that fits into a header', () => {
    const { PAYMENT_PROVIDER, STRIPE_SECRET_KEY } = stripe;
    expectInvalid({ PAYMENT_PROVIDER }, 'STRIPE_SECRET_KEY', /PAYMENT_PROVIDER is stripe/);
    expect(readConfig({ STRIPE_SECRET_KEY }).payment).to.deep.equal({ provider: 'sandbox' });
    for (const secretKey of ['sk test', 'sk_test\r\nX-A: b', 'sk_tést', 'k'.repeat(256)]) {
      expectInvalid({ PAYMENT_PROVIDER, STRIPE_SECRET_KEY: secretKey }, 'STRIPE_SECRET_KEY', /visible ASCII/);
    }
  });

  it('have up to three secrets for events of Stripe, which are no other word of Stripe', () => {
    const secretsOf = (STRIPE_WEBHOOK_SECRETS: string) => {
      const { payment } = readConfig({ ...stripe, PROVIDER_EVENTS_PORT: '3100', STRIPE_WEBHOOK_SECRETS });
      return payment.provider === 'stripe' && payment.webhookSecrets;
    };
    expect(secretsOf('whsec_1')).to.deep.equal(['whsec_1']);
    expect(secretsOf('whsec_1, whsec_2 ,whsec_3')).to.deep.equal(['whsec_1', 'whsec_2', 'whsec_3']);
    for (const text of [
      ...[',', 'whsec_1,', 'whsec_1,,whsec_2', 'whsec_1,whsec_2,whsec_3,whsec_4', 'whsec 1', 'whsec_é'],
      ...[
        `whsec_${'1'.repeat(250)}`,
        'sk_test_1',
        'rk_live_1',
        'pk_test_1',
        'whsec_1,we_1',
        'ed_1',
        'acct_1',
      ],
    ])
      expectInvalid(
        { ...stripe, PROVIDER_EVENTS_PORT: '3100', STRIPE_WEBHOOK_SECRETS: text },
        'STRIPE_WEBHOOK_SECRETS',
        /must be 1 to 3 signing secrets of Stripe's webhook endpoints, such as whsec_/,
      );
  });

  it('need both the port and the secrets for events of Stripe, on the address of the API', () => {
    const both = { ...stripe, PROVIDER_EVENTS_PORT: '3100', STRIPE_WEBHOOK_SECRETS: 'whsec_1' };
    expect(readConfig(both).providerEvents).to.deep.equal({ host: '127.0.0.1', port: 3100 });
    const open = { ...both, HOST: '0.0.0.0', TRUST_PROXY: '1' };
    expect(readConfig(open).providerEvents).to.deep.equal({ host: '0.0.0.0', port: 3100 });
    for (const port of ['', '0'])
      expectInvalid(
        { ...both, PROVIDER_EVENTS_PORT: port },
        'PROVIDER_EVENTS_PORT',
        /must be set where STRIPE_WEBHOOK_SECRETS is\.$/,
      );
    expectInvalid(
      { ...both, STRIPE_WEBHOOK_SECRETS: '' },
      'STRIPE_WEBHOOK_SECRETS',
      /must be set where PROVIDER_EVENTS_PORT is\.$/,
    );
  });

  it('receive no events for the sandbox, and those of a provider from outside without secrets of Stripe', () => {
    const port = { PROVIDER_EVENTS_PORT: '3100' };
    expectInvalid(port, 'PROVIDER_EVENTS_PORT', /must be 0 with the sandbox/);
    expect(readConfig({ PROVIDER_EVENTS_PORT: '0' }).providerEvents).to.equal(undefined);
    const custom = { PAYMENT_PROVIDER: someModule };
    expect(readConfig({ ...custom, ...port }).providerEvents).to.include({ port: 3100 });
    for (const other of [{}, custom])
      expectInvalid(
        { ...other, ...port, STRIPE_WEBHOOK_SECRETS: 'whsec_1' },
        'STRIPE_WEBHOOK_SECRETS',
        /must be empty unless PAYMENT_PROVIDER is stripe\.$/,
      );
  });

  it('never pay for a demonstration with real money', () => {
    expect(readConfig(stripe).seedDemo).to.equal(false);
    expect(readConfig({ ...stripe, SEED_DEMO: '0' }).seedDemo).to.equal(false);
    expectInvalid({ ...stripe, SEED_DEMO: '1' }, 'SEED_DEMO', /PAYMENT_PROVIDER is sandbox/);
  });
});
