import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { type App, startApp } from '#bootstrap/composition/app.ts';
import { readConfig } from '#bootstrap/config/config.ts';
import { Client, type Json } from '../../http/support/client.ts';
import { cannedServer } from '../../stripe/canned.ts';
import { Metrics } from '../../support/metrics.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { type Ended, runHere } from '../support/portico.ts';
import { freePort } from '../support/ports.ts';

const nothing = '01a4b1cf-5d0c-7000-8000-000000000000';

const key = 'an-operator-key-that-is-long-enough-for-all';

describe('A payment that its provider does not confirm', () => {
  const folder = temporaryFolder();
  let settings: Readonly<Record<string, string>>;
  let stripe: Awaited<ReturnType<typeof cannedServer>>;
  let app: App;
  let client: Client;
  const logged: string[] = [];
  let product: Json;
  let paymentId = '';
  before(async () => {
    const intent = { id: 'pi_1', status: 'succeeded', amount: 1, currency: 'eur' };
    const dashboardRefund = { id: 're_9', status: 'succeeded', amount: 100, currency: 'usd' };
    const noSuchIntent = {
      error: { type: 'invalid_request_error', code: 'resource_missing', message: 'No such payment_intent' },
    };
    stripe = await cannedServer({
      'POST /v1/payment_intents': { body: intent },
      'POST /v1/refunds': { body: { id: 're_1', status: 'succeeded', amount: 450, currency: 'usd' } },
      'GET /v1/payment_intents': { body: { data: [] } },
      'GET /v1/payment_intents/pi_2': { status: 404, body: noSuchIntent },
      'GET /v1/payment_intents/pi_1': () => ({ ...intent, metadata: { payment_id: paymentId } }),
      'GET /v1/refunds': { body: { data: [dashboardRefund] } },
      'GET /v1/disputes': { body: { data: [] } },
    });
    settings = {
      DATABASE_URL: `sqlite:${folder('shop.db')}`,
      PAYMENT_PROVIDER: 'stripe',
      STRIPE_SECRET_KEY: 'sk_test_51NotToBeSeenAnywhere',
      STRIPE_API_BASE: stripe.url,
      ...{
        PORT: '0',
        OPS_PORT: `${await freePort()}`,
        SEED_DEMO: '0',
        LOG_LEVEL: 'warn',
        ADMIN_API_KEY: key,
      },
    };
    app = await startApp(readConfig(settings), { writeLog: (line) => logged.push(line) });
    client = new Client(() => app.url, key);
    const created = await client.post('/v1/products', {
      name: 'Tea',
      price: { amount: 450, currency: 'EUR' },
    });
    product = created.body.data;
  });
  after(async () => {
    await app?.close();
    await stripe?.close();
  });

  const run = (...words: readonly string[]): Promise<Ended> =>
    runHere(words, { ...settings, LOG_LEVEL: 'silent' });
  const metric = async (process: string) =>
    (await Metrics.of(app.opsUrl ?? '')).value('portico_provider_mismatches_total', {
      process,
    });
  const only = async (list: string): Promise<Json> => (await client.get(list)).body.data[0];
  const send = (path: string, body: object) => client.post(path, body, { 'Idempotency-Key': randomUUID() });

  it('stays pending, with an error in the log and a count', async () => {
    const order = (await send('/v1/orders', { product_id: product.id, quantity: 1 })).body.data;
    const response = await send('/v1/payments', { order_id: order.id, payment_method: 'pm_card_visa' });
    expect([response.status, response.body.error.code]).to.deep.equal([502, 'UPSTREAM_FAILED']);
    const payment = await only('/v1/payments');
    expect(payment).to.include({ status: 'pending', provider_reference: null });
    expect((await client.get(`/v1/orders/${order.id}`)).body.data.status).to.equal('pending');
    expect(await metric('payment')).to.equal(1);
    const lines = logged.filter((line) => line.includes('does not confirm'));
    expect(JSON.parse(lines[0] ?? '')).to.deep.include({
      level: 50,
      process: 'payment',
      id: payment.id,
      difference: 'It reports 1 EUR where 450 EUR was asked.',
    });
  });

  it('is asked about by portico payments settle, which says what to do', async () => {
    const { id } = await only('/v1/payments');
    const { code, errors } = await run('payments', 'settle', id);
    expect(code).to.equal(1);
    expect(errors).to.include(
      `portico: The provider does not confirm ${id}. It reports 1 EUR where 450 EUR was asked. Look it up at the provider, then add --succeeded REFERENCE or --failed.\n`,
    );
    expect((await only('/v1/payments')).status).to.equal('pending');
  });

  it('is settled by an operator who has looked, and cannot be settled again', async () => {
    const { id, order_id: order } = await only('/v1/payments');
    const mistyped = await run('payments', 'settle', id, '--succeeded', 'pi_2');
    expect([mistyped.code, mistyped.errors]).to.deep.equal([
      1,
      'portico: The provider knows no charge pi_2. Nothing was changed.\n',
    ]);
    const settled = await run('payments', 'settle', id, '--succeeded', 'pi_1');
    expect(settled).to.deep.equal({
      ...{ code: 0, output: '' },
      errors: `The payment ${id} is succeeded (pi_1). It was pending.\nThe order ${order} is paid. It was pending.\n`,
    });
    expect(await only('/v1/payments')).to.include({ status: 'succeeded', provider_reference: 'pi_1' });
    expect((await client.get(`/v1/orders/${order}`)).body.data.status).to.equal('paid');
    const again = await run('payments', 'settle', id, '--failed');
    expect([again.code, again.errors]).to.deep.equal([
      1,
      `portico: The payment ${id} is already settled: it is succeeded.\n`,
    ]);
  });

  it('can be a refund', async () => {
    const { id: payment } = await only('/v1/payments');
    const response = await send('/v1/refunds', { payment_id: payment });
    expect([response.status, response.body.error.code]).to.deep.equal([502, 'UPSTREAM_FAILED']);
    expect(await metric('refund')).to.equal(1);
    const { id } = await only('/v1/refunds');
    const mistyped = await run('payments', 'settle', id, '--succeeded', 're_typo');
    expect([mistyped.code, mistyped.errors]).to.deep.equal([
      1,
      'portico: The provider knows no refund re_typo of the charge pi_1, only re_9 (100 USD, succeeded). Nothing was changed.\n',
    ]);
    const settled = await run('payments', 'settle', id, '--failed', '--json');
    expect(JSON.parse(settled.output)).to.include({ id, status: 'failed' });
    expect((await only('/v1/payments')).status).to.equal('succeeded');
  });

  it('can have a refund from outside that does not fit, of which the operator says what counts', async () => {
    paymentId = (await only('/v1/payments')).id;
    const asked = await run('payments', 'settle', paymentId);
    expect([asked.code, asked.errors]).to.deep.equal([
      1,
      `portico: The provider does not confirm ${paymentId}. Its refund re_9 is of 100 USD, of 450 EUR. Look it up at the provider, then add --movement REFERENCE --amount AMOUNT.\n`,
    ]);
    const unknown = await run('payments', 'settle', paymentId, '--movement', 're_8', '--amount', '90');
    expect([unknown.code, unknown.errors]).to.deep.equal([
      1,
      'portico: The provider reports no refund or dispute re_8.\n',
    ]);
    const settled = await run(
      'payments',
      'settle',
      paymentId,
      '--movement',
      're_9',
      '--amount',
      '90',
      '--json',
    );
    expect(JSON.parse(settled.output)).to.deep.include({
      ...{ status: 'partially_refunded', refunded: { amount: 90, currency: 'EUR' } },
    });
    const again = await run('payments', 'settle', paymentId);
    expect(again).to.deep.equal({
      ...{
        code: 0,
        output: '',
        errors: `Nothing was changed: the payment ${paymentId} is partially_refunded.\n`,
      },
    });
  });

  it('is left as it is while the provider does not respond, in one line', async () => {
    const unreachable = { ...settings, STRIPE_API_BASE: `http://127.0.0.1:${await freePort()}` };
    const asked = await runHere(['payments', 'settle', paymentId], { ...unreachable, LOG_LEVEL: 'silent' });
    expect(asked.code).to.equal(1);
    expect(asked.errors).to.match(
      /^portico: The payment provider failed\. Nothing was changed\. Try again when it responds\. \(.*ECONNREFUSED.*\)\n$/,
    );
  });

  it('is named by its id, and by one outcome', async () => {
    const unknown = await run('payments', 'settle', nothing);
    expect([unknown.code, unknown.errors]).to.deep.equal([
      1,
      `portico: There is no payment, refund or capture ${nothing}.\n`,
    ]);
    for (const words of [
      ['settle'],
      ['settle', 'x'],
      ['settle', nothing, '--failed', '--succeeded', 'pi_1'],
    ]) {
      expect((await run('payments', ...words)).code, words.join(' ')).to.equal(2);
    }
  });
});
