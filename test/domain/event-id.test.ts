import { expect } from 'chai';
import { EventId } from '#domain/event-id.ts';
import { Id } from '#domain/resource.ts';

const noon = Date.UTC(2026, 2, 1, 12);
const feed = '0190f5c2-7b1a-7cde-9f01-23456789abcd';
const idOf = (milliseconds: number, sequence: number) =>
  EventId.of(EventId.prefix(milliseconds, feed), sequence);

describe('Ids of events', () => {
  it('are UUIDv7 of the time and the sequence, whatever the feed', () => {
    for (const id of [feed, '0'.repeat(32), 'f'.repeat(32), '0123456789abcdef'.repeat(2)]) {
      const made = EventId.of(EventId.prefix(noon, id), 1);
      expect(made).to.match(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      expect(Id.parse(made)).to.equal(made);
      expect(EventId.milliseconds(made)).to.equal(noon);
    }
  });

  it('ascend with the sequence within a millisecond, up to a trillion', () => {
    const ids = [1, 2, 15, 16, 255, 65_536, 4_294_967_296, 999_999_999_999].map((n) => idOf(noon, n));
    expect(ids.toSorted()).to.deep.equal(ids);
    expect(new Set(ids).size).to.equal(ids.length);
  });

  it('ascend with the time, whatever the sequence', () => {
    expect(idOf(noon, 999_999) < idOf(noon + 1, 1)).to.equal(true);
  });

  it('differ between feeds', () => {
    const other = EventId.prefix(noon, 'f'.repeat(32));
    expect(EventId.of(other, 1)).not.to.equal(idOf(noon, 1));
  });
});
