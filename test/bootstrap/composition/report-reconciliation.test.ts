import { expect } from 'chai';
import { openMetrics } from '#adapters/metrics/metrics.ts';
import { reconciliationResults } from '#application/reconciliation/observer.ts';
import { observingReconciliation } from '#bootstrap/composition/reports.ts';

describe('What reconciliation reports to an operator', () => {
  const lines: { readonly fields: object; readonly message: string }[] = [];
  const metrics = openMetrics({ version: '1', database: 'memory', provider: 'sandbox' });
  const { reconciliationObserver: observer } = observingReconciliation(metrics, {
    warn: (fields: object, message?: string) => lines.push({ fields, message: message ?? '' }),
  });
  afterEach(() => lines.splice(0));

  it('is a warning with the reason, the object and what to do', () => {
    const providerObject = { kind: 'charge', reference: 'ch_1' } as const;
    observer.warn({ reason: 'unanswered', provider: 'stripe', providerObject });
    observer.warn({ reason: 'undecided', provider: 'stripe', providerObject, paymentId: 'p-1' });
    observer.warn({ reason: 'other-provider', provider: 'sandbox' });
    expect(lines.map(({ fields }) => fields)).to.deep.equal([
      { reason: 'unanswered', provider: 'stripe', providerObject },
      { reason: 'undecided', provider: 'stripe', providerObject, paymentId: 'p-1' },
      { reason: 'other-provider', provider: 'sandbox' },
    ]);
    const [unanswered, undecided, otherProvider] = lines.map(({ message }) => message);
    expect(unanswered).to.match(/for days.*Look it up there/);
    expect(undecided).to.match(/21 days.*portico payments settle/);
    expect(otherProvider).to.match(/PAYMENT_PROVIDER back/);
  });

  it('is a count of each result and event, and how long the most overdue task waits', async () => {
    for (const result of reconciliationResults) observer.ended(result);
    observer.ended('failed');
    observer.overdue(2_500);
    observer.eventsRead(3);
    const { text } = await metrics.page();
    for (const line of [
      'portico_reconciliations_total{result="recorded"} 1',
      'portico_reconciliations_total{result="failed"} 2',
      'portico_reconciliations_total{result="given_up"} 1',
      'portico_reconciliations_overdue_seconds 2.5',
      'portico_provider_events_read_total 3',
    ])
      expect(text.split('\n')).to.include(line);
  });
});
