import { expect } from 'chai';
import type { ProviderInspectionOptions } from '#application/ports/inspection.ts';
import { checkPaymentProvider } from '#bootstrap/cli/doctor/providers.ts';
import { findAdapterModule } from '#bootstrap/config/adapter-module.ts';
import { linesOf } from '../support/findings.ts';
import { outsideProject } from '../support/outside.ts';
import { runHere } from '../support/portico.ts';
import { freePort } from '../support/ports.ts';

const usual: ProviderInspectionOptions = { timeoutMs: 5_000, eventsPollMs: 60_000, listens: true };

describe('The doctor, of a payment provider from outside', () => {
  const { write } = outsideProject();
  const check = async (name: string, exported: string) => {
    const file = write(
      `${name}.ts`,
      `import { ApplicationError, findingsFor } from 'portico/application';
      export const apiVersion = 0;
      export const openPaymentProvider = () => ({});
      ${exported}`,
    );
    const module = findAdapterModule('PAYMENT_PROVIDER', file);
    return linesOf(await checkPaymentProvider({ provider: 'custom', module }, usual));
  };

  it('shows what it finds about its account, by how this shop asks it', async () => {
    const exported = `export const inspectProvider = async ({ eventsPollMs, listens }) =>
      [findingsFor('bank').warn(\`every \${eventsPollMs} ms, \${listens}\`, 'Call the bank.')];`;
    expect(await check('checks', exported)).to.deep.equal(['warn bank: every 60000 ms, true']);
  });

  it('says that it offers no checks', async () => {
    const [only] = await check('plain', '');
    expect(only).to.match(
      /^ok provider: \S*plain\.ts is used\. It exports no inspectProvider to check it\.$/,
    );
  });

  it('reports a check that fails, or that returns something else, as a failure', async () => {
    const lines = [
      ...(await check('throws', `export const inspectProvider = () => { throw new Error('No line.'); };`)),
      ...(await check(
        'unreachable',
        `export const inspectProvider = async () => { throw new ApplicationError('provider-failed', 'No line.'); };`,
      )),
      ...(await check('wrong', `export const inspectProvider = () => [{ check: 'bank', state: 'fine' }];`)),
    ];
    expect(lines).to.have.lengthOf(3);
    expect(lines[0]).to.match(/^fail provider: PAYMENT_PROVIDER names \S*throws\.ts, .*No line\./);
    expect(lines[1]).to.match(/^fail provider: \S*unreachable\.ts cannot be checked: No line\.$/);
    expect(lines[2]).to.match(/^fail provider: .*wrong\.ts, whose inspectProvider must return an array/);
  });
});

describe('The doctor, of what a payment provider from outside offers', () => {
  const { write } = outsideProject();
  const provider = `({ name: 'mine', idempotencyWindowMs: 1, charge() {}, closeCharge() {}, refund() {}, closeRefund() {},
    close() { globalThis.closedProviders = (globalThis.closedProviders ?? 0) + 1; } })`;
  const closed = () => (globalThis as { closedProviders?: number }).closedProviders ?? 0;
  const doctor = async (name: string, opened: string, more: Readonly<Record<string, string>> = {}) => {
    const file = write(
      `${name}.ts`,
      `export const apiVersion = 0; export const openPaymentProvider = () => ${opened};`,
    );
    const settings = { DATABASE_URL: 'memory:', PORT: '0', OPS_PORT: '0', PAYMENT_PROVIDER: file, ...more };
    const { code, output } = await runHere(['doctor'], settings);
    return { code, failures: output.match(/^fail .*$/gm) ?? [] };
  };

  it('fails where a setting needs more', async () => {
    expect(await doctor('offers', provider)).to.deep.equal({ code: 0, failures: [] });
    expect(closed()).to.equal(1);
    for (const [name, value] of [
      ['PAYMENT_CAPTURE', 'manual'],
      ['PROVIDER_EVENTS_POLL_MS', '1000'],
      ['PROVIDER_EVENTS_PORT', `${await freePort()}`],
    ] as const) {
      const { code, failures } = await doctor('offers', provider, { [name]: value });
      expect({ code, count: failures.length }).to.deep.equal({ code: 1, count: 1 });
      expect(failures[0]).to.match(
        new RegExp(`^fail  provider    ${name} must be .* the payment provider mine `),
      );
    }
  });

  it('fails where it cannot be opened', async () => {
    const { code, failures } = await doctor('lacks', '({})');
    expect({ code, count: failures.length }).to.deep.equal({ code: 1, count: 1 });
    expect(failures[0]).to.include('whose openPaymentProvider must return an object with');
  });
});

describe('The doctor, of the sandbox', () => {
  it('says that no money moves', async () => {
    expect(linesOf(await checkPaymentProvider({ provider: 'sandbox' }, usual))).to.deep.equal([
      'ok provider: the built-in sandbox is used: no money moves',
    ]);
  });
});
