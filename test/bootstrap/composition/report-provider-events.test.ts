import { expect } from 'chai';
import type { EventOutcome } from '#adapters/http/provider-events/outcomes.ts';
import { openMetrics } from '#adapters/metrics/metrics.ts';
import { observingProviderEvents } from '#bootstrap/composition/listeners/provider-events.ts';
import { Metrics } from '../../support/metrics.ts';

const outcomes: readonly EventOutcome[] = [
  ...(['accepted', 'unknown_type', 'malformed', 'forged', 'stale'] as const),
  ...(['not_stored', 'too_many', 'too_large', 'incomplete'] as const),
];

describe('What becomes of the messages to the listener for events', () => {
  const opened = () => {
    const lines: { readonly fields: object; readonly message: string }[] = [];
    const metrics = openMetrics({ version: '1', database: 'memory', provider: 'stripe' });
    const time = { ms: 0 };
    const log = {
      warn: (fields: object, message?: string) => lines.push({ fields, message: message ?? '' }),
      debug: () => undefined,
    };
    const observe = observingProviderEvents(metrics, log, () => time.ms);
    const counts = async () => new Metrics((await metrics.page()).text);
    return { lines, observe, time, counts };
  };

  it('is counted by outcome, each from 0 on', async () => {
    const { observe, counts } = opened();
    const name = 'portico_provider_events_received_total';
    expect((await counts()).series(name)).to.have.members(outcomes.map((outcome) => `outcome="${outcome}"`));
    for (const outcome of outcomes) observe(outcome);
    observe('forged');
    const page = await counts();
    for (const outcome of outcomes)
      expect(page.value(name, { outcome }), outcome).to.equal(outcome === 'forged' ? 2 : 1);
  });

  it('is a warning that says what to do, where an operator has to know', () => {
    const { observe, lines } = opened();
    const error = new Error('The disk is full.');
    const from = { clientAddress: '192.0.2.1' };
    for (const outcome of outcomes.filter((each) => each !== 'too_many'))
      observe(outcome, outcome === 'not_stored' ? { ...from, error } : from);
    observe('too_many');
    expect(lines.map(({ fields }) => fields)).to.deep.equal([
      { outcome: 'malformed', count: 1, ...from },
      { outcome: 'forged', count: 1, ...from },
      { outcome: 'stale', count: 1, ...from },
      { outcome: 'not_stored', count: 1, ...from, err: error },
      { outcome: 'too_many', count: 1 },
    ]);
    expect(lines[1]?.message).to.match(/no valid signature.*STRIPE_WEBHOOK_SECRETS/);
    expect(lines[2]?.message).to.match(/300 seconds.*clock/);
  });

  it('is one line a minute for each outcome, with how often it has happened', () => {
    const { observe, lines, time } = opened();
    for (let passed = 0; passed < 150; passed += 1) {
      for (let times = 0; times < 10; times += 1) observe('forged');
      if (passed === 10) observe('stale');
      time.ms += 1_000;
    }
    expect(lines.map(({ fields }) => fields)).to.deep.equal([
      { outcome: 'forged', count: 1 },
      { outcome: 'stale', count: 1 },
      { outcome: 'forged', count: 600 },
      { outcome: 'forged', count: 600 },
    ]);
  });
});
