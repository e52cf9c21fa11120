import { expect } from 'chai';
import { openMetrics } from '#adapters/metrics/metrics.ts';
import { lookUpResults } from '#application/reconciliation/observer.ts';
import { observingLookUps } from '#bootstrap/composition/reports/report-reconciliation.ts';

describe('What the look-ups at the provider tell an operator', () => {
  const lines: { readonly fields: object; readonly message: string }[] = [];
  const metrics = openMetrics({ version: '1', database: 'memory', provider: 'sandbox' });
  const { lookUpObserver: observer } = observingLookUps(metrics, {
    warn: (fields: object, message?: string) => lines.push({ fields, message: message ?? '' }),
  });
  afterEach(() => lines.splice(0));

  it('is a warning with the reason, the place and what to do', () => {
    const place = { kind: 'charge', reference: 'ch_1' } as const;
    observer.warn({ reason: 'unanswered', provider: 'stripe', place });
    observer.warn({ reason: 'undecided', provider: 'stripe', place, paymentId: 'p-1' });
    observer.warn({ reason: 'other-provider', provider: 'sandbox' });
    expect(lines.map(({ fields }) => fields)).to.deep.equal([
      { reason: 'unanswered', provider: 'stripe', place },
      { reason: 'undecided', provider: 'stripe', place, paymentId: 'p-1' },
      { reason: 'other-provider', provider: 'sandbox' },
    ]);
    const [unanswered, undecided, otherProvider] = lines.map(({ message }) => message);
    expect(unanswered).to.match(/for days.*Look it up there/);
    expect(undecided).to.match(/21 days.*portico payments settle/);
    expect(otherProvider).to.match(/PAYMENT_PROVIDER back/);
  });

  it('is a count of each result and event, and how long the longest due look-up waits', async () => {
    for (const result of lookUpResults) observer.ended(result);
    observer.ended('failed');
    observer.overdue(2_500);
    observer.news(3);
    const { text } = await metrics.page();
    for (const line of [
      'portico_look_ups_total{result="recorded"} 1',
      'portico_look_ups_total{result="failed"} 2',
      'portico_look_ups_total{result="given_up"} 1',
      'portico_look_ups_overdue_seconds 2.5',
      'portico_provider_events_read_total 3',
    ])
      expect(text.split('\n')).to.include(line);
  });
});
