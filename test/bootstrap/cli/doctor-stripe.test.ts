import { expect } from 'chai';
import type Stripe from 'stripe';
import { eventTypes } from '#adapters/payment/stripe/events/event-types.ts';
import type { ProviderInspectionOptions } from '#application/ports/inspection.ts';
import { checkPaymentProvider } from '#bootstrap/cli/doctor/providers.ts';
import { cannedServers, stripeServer } from '../../adapters/payment/stripe.ts';
import { sdkAt } from '../../stripe/sdk/sdk.ts';
import { linesOf } from '../support/findings.ts';
import { runHere } from '../support/portico.ts';
import { freePort } from '../support/ports.ts';

type EnabledEvent = Stripe.WebhookEndpointCreateParams.EnabledEvent;

const usual: ProviderInspectionOptions = { timeoutMs: 5_000, eventsPollMs: 60_000, listens: true };
const url = 'https://shop.example/provider-events';

const accepted = 'ok provider: Stripe accepts the key, a test key: no money moves';
const readable = 'ok events: the list of events at Stripe can be read';
const byList = 'events come from the list only, every 60 s';

describe('The doctor, of the account at Stripe', () => {
  const stripe = stripeServer();
  const canned = cannedServers();
  const sdk = () => sdkAt(stripe().url, 'sk_test_1');
  const check = async (
    options: Partial<ProviderInspectionOptions> = {},
    { secretKey = 'sk_test_1', apiBase = stripe().url, methods = ['card'] } = {},
  ) =>
    linesOf(
      await checkPaymentProvider(
        { provider: 'stripe', secretKey, apiBase, methods, webhookSecrets: [] },
        { ...usual, ...options },
      ),
    );
  const subscribe = (
    types: readonly string[],
    to = url,
    more: Partial<Stripe.WebhookEndpointCreateParams> = {},
  ) => sdk().webhookEndpoints.create({ url: to, enabled_events: types as EnabledEvent[], ...more });
  const subscribeThin = (types: readonly string[], from = '@self') =>
    sdk().v2.core.eventDestinations.create({
      ...{ name: 'Portico', type: 'webhook_endpoint', event_payload: 'thin', events_from: [from] },
      ...{ enabled_events: [...types], webhook_endpoint: { url: `${url}?secret=hidden` } },
    });
  const rest = async (options: Partial<ProviderInspectionOptions> = {}) => (await check(options)).slice(2);

  it('tells whether Stripe accepts the key', async () => {
    expect((await check())[0]).to.equal(accepted);
    const rejected = await check({}, { secretKey: 'no-key-of-theirs' });
    expect(rejected).to.have.lengthOf(1);
    expect(rejected[0])
      .to.match(/^fail provider: Stripe rejects the key: /)
      .and.not.include('no-key-of-theirs');
    const unreachable = await check({}, { apiBase: 'http://127.0.0.1:1' });
    expect(unreachable).to.have.lengthOf(1);
    expect(unreachable[0]).to.match(/^fail provider: Stripe is unreachable: /);
  });

  it('says what is lost without an endpoint', async () => {
    expect(await check()).to.deep.equal([
      ...[accepted, readable],
      `warn webhook: Stripe has no webhook endpoint: ${byList}`,
    ]);
    expect(await check({ eventsPollMs: 0 })).to.deep.equal([
      accepted,
      'fail webhook: Stripe has no webhook endpoint: no events of refunds, disputes and late decisions arrive',
    ]);
  });

  it('asks for no endpoint where no listener is configured, unless the list of events is not read either', async () => {
    expect(await rest({ listens: false })).to.deep.equal([`ok webhook: none is used: ${byList}`]);
    const [, none] = await check({ listens: false, eventsPollMs: 0 });
    expect(none).to.match(/^fail webhook: none is used, and the list of events is not read: no events /);
    await subscribe(['*'], 'https://accounting.example/stripe');
    expect(await rest({ listens: false })).to.deep.equal([`ok webhook: none is used: ${byList}`]);
    await subscribe(['*']);
    expect(await rest({ listens: false })).to.deep.equal([
      `warn webhook: Stripe sends events to ${url}, but no listener accepts them: STRIPE_WEBHOOK_SECRETS is not set`,
    ]);
  });

  it('finds nothing wrong with an endpoint that gets all types, or * for all, in another API version', async () => {
    const { id } = await subscribe(eventTypes, url, { api_version: '2020-08-27' });
    const fine = [`ok webhook: Stripe sends every event that is used to ${url}`];
    expect(await rest()).to.deep.equal(fine);
    await sdk().webhookEndpoints.update(id, { enabled_events: ['*'] });
    expect(await rest()).to.deep.equal(fine);
  });

  it('names each type that no endpoint is subscribed to', async () => {
    await subscribe(eventTypes.filter((type) => !type.startsWith('refund.')));
    expect(await rest()).to.deep.equal([
      `warn webhook: no endpoint at Stripe is subscribed to refund.created, refund.failed, refund.updated: of these, ${byList}`,
    ]);
    await subscribe(['refund.created', 'refund.failed']);
    expect((await rest())[0]).to.include('subscribed to refund.updated: of');
    expect((await check({ eventsPollMs: 0 }))[1]).to.match(/^fail webhook: no endpoint .* refund\.updated:/);
    await subscribeThin(['v1.refund.updated']);
    expect(await rest()).to.deep.equal([`ok webhook: Stripe sends every event that is used to ${url}`]);
  });

  it('names endpoints that are disabled, and counts their types for nothing', async () => {
    const { id } = await subscribe(['*']);
    await sdk().webhookEndpoints.update(id, { disabled: true });
    const disabled = `warn webhook: Stripe sends no events to ${url}, which is disabled`;
    expect(await rest()).to.deep.equal([
      disabled,
      `warn webhook: no webhook endpoint at Stripe is enabled: ${byList}`,
    ]);
    await subscribe(['charge.refunded']);
    expect((await rest())[1]).to.include('subscribed to payment_intent.amount_capturable_updated, ');
    await subscribe(['*']);
    expect(await rest()).to.deep.equal([
      disabled,
      `ok webhook: Stripe sends every event that is used to ${url}`,
    ]);
  });

  it('counts no endpoint of connected accounts', async () => {
    await subscribe(['*'], url, { connect: true });
    await subscribeThin(['*'], '@accounts');
    expect((await rest())[0]).to.include('Stripe has no webhook endpoint');
  });

  it('says when all endpoints are at another address than the one that Portico serves', async () => {
    await subscribe(['*'], 'https://accounting.example/stripe');
    expect(await rest()).to.deep.equal([
      'ok webhook: Stripe sends every event that is used to https://accounting.example/stripe',
      'warn webhook: no address of an endpoint at Stripe ends with /provider-events',
    ]);
    await subscribe(['charge.refunded']);
    expect((await rest())[0]).to.include('no endpoint at Stripe is subscribed to');
  });

  it('says what a restricted key may not read, which is no failure', async () => {
    const secretKey = 'rk_test_1';
    await subscribe(['*']);
    expect((await check({}, { secretKey }))[2]).to.include('ok webhook: Stripe sends every event');
    await stripe().forbidRestrictedKeys('GET /v1/events', 'GET /v1/webhook_endpoints');
    expect(await check({}, { secretKey })).to.deep.equal([
      accepted,
      'warn events: the key may not read the list of events at Stripe',
      'ok webhook: not checked: the key may not read webhook endpoints and event destinations',
    ]);
    const [, , unused] = await check({ listens: false }, { secretKey });
    expect(unused).to.match(/^fail webhook: none is used, and the list of events is not read/);
    await stripe().forbidRestrictedKeys('GET /v2/core/event_destinations');
    expect((await check({}, { secretKey }))[2]).to.include('ok webhook: not checked');
  });

  it('names what a restricted key may not read, without which no events about payments can be read', async () => {
    const secretKey = 'rk_test_1';
    await stripe().forbidRestrictedKeys('GET /v1/charges', 'GET /v1/disputes');
    const lines = await check({ listens: false }, { secretKey });
    expect(lines.slice(0, 2)).to.deep.equal([
      accepted,
      'warn provider: the key may not read charges, disputes',
    ]);
    await stripe().forbidRestrictedKeys('GET /v1/payment_intents');
    const [unwritten, ...others] = await check({ listens: false }, { secretKey });
    expect(unwritten).to.match(/^warn provider: the key lacks permissions: The provided key/);
    expect(others.join()).to.not.include('warn');
  });

  it('says what Stripe does not show just now', async () => {
    const { url: apiBase } = await canned({
      'GET /v1/payment_intents': { body: { object: 'list', data: [] } },
      'GET /v1/events': { status: 500, body: { error: { message: 'An error of sk_test_1.' } } },
      'GET /v1/webhook_endpoints': { status: 500, body: { error: { message: 'An error.' } } },
    });
    expect(await check({}, { apiBase })).to.deep.equal([
      accepted,
      'warn events: the list of events at Stripe cannot be read: An error of ….',
      'warn webhook: the webhook endpoints at Stripe cannot be read: An error.',
    ]);
  });

  it('tells with a live key whether the account can take payments by each method', async () => {
    const live = async (account: object, secretKey = 'sk_live_1') => {
      const { url: apiBase } = await canned({
        'GET /v1/payment_intents': { body: { object: 'list', data: [] } },
        'GET /v1/account': { body: { object: 'account', ...account } },
      });
      const lines = await check({}, { apiBase, secretKey, methods: ['card', 'ideal', 'new'] });
      return lines.filter((line) => line.includes(' provider: '));
    };
    const capabilities = { card_payments: 'active', ideal_payments: 'pending' };
    expect(await live({ charges_enabled: true, capabilities })).to.deep.equal([
      'ok provider: Stripe accepts the key',
      'warn provider: the account at Stripe takes no payments by ideal',
    ]);
    expect(await live({ charges_enabled: false })).to.deep.equal([
      'ok provider: Stripe accepts the key',
      'fail provider: the account at Stripe cannot take payments yet',
    ]);
    expect(await live({ charges_enabled: true })).to.deep.equal(['ok provider: Stripe accepts the key']);
    expect(await live({ charges_enabled: false }, 'sk_test_1')).to.deep.equal([accepted]);
  });

  it('is printed with the other checks, by the settings of the listener', async () => {
    await subscribe(eventTypes.slice(1));
    const doctor = async (more: Readonly<Record<string, string>> = {}) => {
      const settings = {
        ...{ DATABASE_URL: 'memory:', PORT: '0', OPS_PORT: '0', PAYMENT_PROVIDER: 'stripe' },
        ...{ STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_API_BASE: stripe().url, ...more },
      };
      const { code, output } = await runHere(['doctor'], settings);
      return { code, output, webhook: /^\S+ +webhook .*$/m.exec(output)?.[0] };
    };
    const unused = await doctor();
    expect(unused.code).to.equal(0);
    expect(unused.output).to.match(/^ok {4}events {6}the list of events at Stripe can be read$/m);
    expect(unused.webhook).to.match(/^warn {2}webhook {5}Stripe sends events to \S+, but no listener/);
    const listening = { PROVIDER_EVENTS_PORT: `${await freePort()}`, STRIPE_WEBHOOK_SECRETS: 'whsec_1' };
    expect((await doctor(listening)).webhook).to.match(
      /^warn {2}webhook {5}no endpoint at Stripe is subscribed to payment_intent\.amount_capturable_updated: /,
    );
    const { code, webhook } = await doctor({ ...listening, PROVIDER_EVENTS_POLL_MS: '0' });
    expect({ code, state: webhook?.slice(0, 4) }).to.deep.equal({ code: 1, state: 'fail' });
  });
});
