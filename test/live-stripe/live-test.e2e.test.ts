import { mkdirSync, readdirSync } from 'node:fs';
import { expect } from 'chai';
import { stripeServer } from '../adapters/payment/stripe.ts';
import { ending } from '../bootstrap/support/portico.ts';
import { Program } from '../lab/program.ts';
import { newId } from '../support/machine.ts';
import { temporaryFolder } from '../support/temporary.ts';

describe('npm run stripe:live-test, against the Stripe-like server', () => {
  const stripe = stripeServer();
  const place = temporaryFolder();
  let folder: string;
  beforeEach(() => {
    folder = place(newId());
    mkdirSync(folder, { recursive: true });
  });

  const run = (wait: string, settings: Readonly<Record<string, string>> = {}) => {
    const environment = {
      ...{ TMPDIR: folder, STRIPE_SECRET_KEY: 'sk_test_51NotToBeSeen', STRIPE_API_BASE: stripe().url },
      ...settings,
    };
    return ending(new Program('test/live-stripe/main.ts', { environment, folder, words: ['--wait', wait] }));
  };

  it('sees what the contract says, shows no secrets, and leaves nothing on this machine', async () => {
    await stripe().bankDelay(1_000);
    const { code, output, errors } = await run('60');
    expect(output).to.not.include('DIFFERS');
    expect(output).to.match(/\n\n25 steps, 0 differences\n$/);
    expect(code).to.equal(0);
    expect(output + errors).to.not.match(/NotToBeSeen|_secret_\w|hooks\.stripe/);
    expect(readdirSync(folder)).to.deep.equal([]);
  });

  it('names what differs at once, counts it, and fails', async () => {
    await stripe().bankDelay(500);
    await stripe().declineCaptures(true);
    const { code, output } = await run('10');
    expect(output).to.include('\n  DIFFERS  capture: expected 201 succeeded, seen 422 PAYMENT_DECLINED\n');
    const count = output.match(/^ {2}DIFFERS {2}/gm)?.length;
    expect(output).to.match(new RegExp(`\n\n25 steps, ${count} differences\n$`));
    expect(code).to.equal(1);
  });

  it('names what Stripe does not do in time, counts it, and fails', async () => {
    await stripe().eventLag(600_000);
    const { code, output } = await run('2');
    expect(output).to.include('\n  DIFFERS  refund, later: expected failed, seen succeeded\n');
    expect(output).to.include('\n  DIFFERS  dispute: expected warning, seen null\n');
    expect(code).to.equal(1);
  });

  it('rejects live keys and everything else that is no test key, and sends it nowhere', async () => {
    for (const key of ['sk_live_51X', 'rk_live_51X', 'pk_test_51X', 'a sk_test_51X', '']) {
      const { code, output, errors } = await run('1', { STRIPE_SECRET_KEY: key });
      expect({ code, output }, key).to.deep.equal({ code: 2, output: '' });
      expect(errors)
        .to.match(/^stripe:live-test: .*STRIPE_SECRET_KEY.*\n\nUsage: /)
        .and.not.include('51X');
    }
    expect((await stripe().ledger()).requests).to.equal(0);
  });

  it('ends at once when Stripe is unreachable', async () => {
    const { code, output } = await run('1', { STRIPE_API_BASE: 'http://127.0.0.1:1' });
    expect(output).to.match(/^fail {2}provider: Stripe is unreachable: .*\n$/);
    expect(code).to.equal(2);
  });
});
