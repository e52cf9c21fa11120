import { expect } from 'chai';
import { eventTypePatterns, eventTypes, typesMatching } from '#domain/event.ts';

describe('Types of events', () => {
  it('are a subject and what happened to it, each once', () => {
    expect(new Set(eventTypes).size).to.equal(eventTypes.length);
    for (const type of eventTypes) expect(type).to.match(/^[a-z]+(_[a-z]+)*\.[a-z]+(_[a-z]+)*$/);
  });

  it('tell of every subject how it begins, so that a copy can be kept from the feed alone', () => {
    const subjects = new Set(eventTypes.map((type) => type.split('.')[0]));
    const begins = ['created', 'succeeded', 'pending'];
    for (const subject of subjects)
      expect(
        begins.some((name) => (eventTypes as readonly string[]).includes(`${subject}.${name}`)),
        subject,
      ).to.equal(true);
  });
});

describe('A pattern of event types', () => {
  it('matches one type, or all of one subject', () => {
    expect(typesMatching('order.paid')).to.deep.equal(['order.paid']);
    expect(typesMatching('review.*')).to.deep.equal(['review.created', 'review.updated', 'review.deleted']);
    expect(typesMatching('product.*'))
      .to.include('product.back_in_stock')
      .and.not.include('stock_change.created');
  });

  it('exists for every type and every subject', () => {
    expect(eventTypePatterns).to.include.members([...eventTypes]);
    const ofSubjects = eventTypePatterns.filter((pattern) => pattern.endsWith('.*'));
    expect(ofSubjects.flatMap(typesMatching)).to.deep.equal(eventTypes);
  });
});
