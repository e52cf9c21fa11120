import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { eventTypes } from '#adapters/payment/stripe/events/event-types.ts';
import { paymentStatuses } from '#domain/payment.ts';
import { paymentMethods } from '../../stripe/payment-methods.ts';
import { testCards } from './cards.ts';

const guide = readFileSync(new URL('../../../docs/guides/take-real-cards.md', import.meta.url), 'utf8');

describe('The guide that takes real cards', () => {
  it('lists cards that Stripe has, each once', () => {
    expect(testCards.length).to.be.at.least(15);
    expect(new Set(testCards.map(({ number }) => number)).size).to.equal(testCards.length);
    for (const { method } of testCards) expect([...paymentMethods.keys()]).to.include(method);
  });

  it('says what to show for each status of a payment', () => {
    const [, table = ''] = /^## What to show\n(.*?)^## /ms.exec(guide) ?? [];
    const rows = [...table.matchAll(/^\| (`.+?`) \|/gm)].map(([, cell = '']) => cell.replaceAll('`', ''));
    expect(rows.flatMap((cell) => cell.split(', '))).to.have.members(paymentStatuses);
  });

  it('subscribes the webhook to the types of events that Portico understands', () => {
    const [, types = ''] = /^TYPES='([^']+)'$/m.exec(guide) ?? [];
    expect(types.split(/\s+/).toSorted()).to.deep.equal(eventTypes.toSorted());
  });
});
