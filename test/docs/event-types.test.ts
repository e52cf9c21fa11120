import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { eventTypes } from '#adapters/payment/stripe/events/event-types.ts';

describe('The types of events that the guide for operators subscribes an endpoint to', () => {
  it('are those that tell of money', () => {
    const guide = readFileSync(new URL('../../docs/operations/provider-events.md', import.meta.url), 'utf8');
    const [, list = ''] = /of these types:\n\n\s*```text\n(.*?)```/s.exec(guide) ?? [];
    expect(list.split(/\s+/).filter((word) => word !== '')).to.have.members([...eventTypes]);
  });
});
