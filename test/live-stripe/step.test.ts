import { expect } from 'chai';
import type { Shop } from './shop.ts';
import { isDifferent, type Observe, runStep } from './step.ts';

describe('A step of the live test', () => {
  const shop = { redact: (text: string) => text.replace('secret', '…') } as Shop;
  const run = (steps: (observe: Observe) => void) =>
    runStep({ name: 'A step', run: async (_, observe) => steps(observe) }, shop);
  const differences = async (steps: (observe: Observe) => void) => (await run(steps)).filter(isDifferent);

  it('differs where something else was seen than expected', async () => {
    const found = await differences((observe) => {
      observe('status', 'paid', 'paid');
      observe('amounts', [300, 700], [300, 700]);
      observe('count', 1, 2);
      observe('nothing', undefined, 'shown');
    });
    expect(found).to.deep.equal([
      { subject: 'count', expected: '2', seen: '1' },
      { subject: 'nothing', expected: 'shown', seen: 'null' },
    ]);
  });

  it('differs when it throws, with what it has observed before, and without secrets', async () => {
    const found = await run((observe) => {
      observe('status', 'paid', 'paid');
      throw new Error('No secret.');
    });
    expect(found.filter(isDifferent)).to.deep.equal([
      { subject: 'the step', expected: 'ends', seen: 'No ….' },
    ]);
    expect(found).to.have.lengthOf(2);
  });

  it('differs when it observes nothing', async () => {
    expect(await differences(() => undefined)).to.have.lengthOf(1);
  });
});
