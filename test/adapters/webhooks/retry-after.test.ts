import { expect } from 'chai';
import { retryAfterOf } from '#adapters/webhooks/sender.ts';

const now = Date.parse('2026-03-01T12:00:00Z');
const inTwoMinutes = 'Sun, 01 Mar 2026 12:02:00 GMT';

const delayOf = (retryAfter: string, date?: string): number | undefined =>
  retryAfterOf({ 'retry-after': retryAfter, ...(date !== undefined && { date }) }, now);

describe('Retry-After', () => {
  it('is a number of seconds, of which at most an hour counts', () => {
    expect([delayOf('0'), delayOf('120'), delayOf(' 3600 ')]).to.deep.equal([0, 120_000, 3_600_000]);
    expect([delayOf('3601'), delayOf('9'.repeat(400))]).to.deep.equal([3_600_000, 3_600_000]);
  });

  it('is a date in each of the three forms of HTTP', () => {
    for (const date of [inTwoMinutes, 'Sunday, 01-Mar-26 12:02:00 GMT', 'Sun Mar  1 12:02:00 2026'])
      expect(delayOf(date), date).to.equal(120_000);
    expect(delayOf('Mon, 02 Mar 2026 12:00:00 GMT')).to.equal(3_600_000);
    expect(delayOf('Sun, 01 Mar 2026 11:00:00 GMT')).to.equal(0);
  });

  it('is compared with the date of the response, so that a clock of one of both may be wrong', () => {
    expect(delayOf('Mon, 02 Mar 2026 13:02:00 GMT', 'Mon, 02 Mar 2026 13:00:00 GMT')).to.equal(120_000);
    expect(delayOf(inTwoMinutes, 'yesterday')).to.equal(120_000);
  });

  it('is ignored in any other form', () => {
    for (const text of [
      '',
      '-1',
      '1.5',
      '1e3',
      'soon',
      '0x10',
      '2026-03-01T12:02:00Z',
      'Sun, 01 Mar 2026 12:02:00',
    ])
      expect(delayOf(text), text).to.equal(undefined);
    expect(delayOf('Sun, 99 Mar 2026 12:02:00 GMT')).to.equal(undefined);
    expect(retryAfterOf({}, now)).to.equal(undefined);
  });
});
