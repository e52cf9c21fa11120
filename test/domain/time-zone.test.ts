import { expect } from 'chai';
import * as fc from 'fast-check';
import { Instant } from '#domain/instant.ts';
import { TimeZone } from '#domain/time-zone.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

const nextDay = (name: string, instant: string): string =>
  Instant.at(TimeZone.nextDay(TimeZone.of(name), instant as Instant));

/** When days begin, one after the other. */
const begins = (name: string, first: string, count: number): readonly string[] => {
  const found = [first];
  while (found.length < count) found.push(nextDay(name, found.at(-1) ?? ''));
  return found;
};

/** How long days are, in hours. */
const lengths = (name: string, first: string, count: number): readonly number[] => {
  const times = begins(name, first, count + 1).map((each) => Date.parse(each));
  return times.slice(1).map((time, index) => (time - (times[index] ?? 0)) / hourMs);
};

describe('The days of a time zone', () => {
  it('are shorter where clocks are set forward, and longer where they are set back', () => {
    expect(lengths('Europe/Vienna', '2026-03-27T23:00:00.000Z', 3)).to.deep.equal([24, 23, 24]);
    expect(lengths('Europe/Vienna', '2026-10-23T22:00:00.000Z', 3)).to.deep.equal([24, 25, 24]);
    expect(lengths('America/New_York', '2026-03-07T05:00:00.000Z', 3)).to.deep.equal([24, 23, 24]);
    expect(lengths('America/New_York', '2026-10-31T04:00:00.000Z', 3)).to.deep.equal([24, 25, 24]);
    expect(lengths('Australia/Lord_Howe', '2026-10-02T13:30:00.000Z', 3)).to.deep.equal([24, 23.5, 24]);
    expect(lengths('Australia/Lord_Howe', '2026-04-03T13:00:00.000Z', 3)).to.deep.equal([24, 24.5, 24]);
  });

  it('begin at the change where it skips midnight, and end at it where it repeats the hour before', () => {
    expect(begins('America/Santiago', '2026-09-05T04:00:00.000Z', 3)).to.deep.equal([
      '2026-09-05T04:00:00.000Z',
      '2026-09-06T04:00:00.000Z',
      '2026-09-07T03:00:00.000Z',
    ]);
    expect(begins('America/Santiago', '2026-04-04T03:00:00.000Z', 3)).to.deep.equal([
      '2026-04-04T03:00:00.000Z',
      '2026-04-05T04:00:00.000Z',
      '2026-04-06T04:00:00.000Z',
    ]);
  });

  it('leave out a date that a place never had', () => {
    expect(lengths('Pacific/Apia', '2011-12-29T10:00:00.000Z', 2)).to.deep.equal([24, 24]);
  });

  it('begin once where midnight is shown twice', () => {
    expect(begins('America/Havana', '2026-10-31T04:00:00.000Z', 3)).to.deep.equal([
      '2026-10-31T04:00:00.000Z',
      '2026-11-01T04:00:00.000Z',
      '2026-11-02T05:00:00.000Z',
    ]);
    // A minute after midnight, clocks were set back to the day before.
    expect(nextDay('America/St_Johns', '2010-11-07T02:31:00.000Z')).to.equal('2010-11-08T03:30:00.000Z');
    expect(nextDay('America/St_Johns', '2010-11-07T02:29:59.999Z')).to.equal('2010-11-07T02:30:00.000Z');
  });

  it('end after any instant within them', () => {
    expect(nextDay('Europe/Vienna', '2026-03-29T21:59:59.999Z')).to.equal('2026-03-29T22:00:00.000Z');
    expect(nextDay('Europe/Vienna', '2026-03-29T12:34:56.789Z')).to.equal('2026-03-29T22:00:00.000Z');
    expect(nextDay('UTC', '2026-03-29T00:00:00.000Z')).to.equal('2026-03-30T00:00:00.000Z');
  });

  it('follow each other in every zone, the sun’s time of earlier centuries included', () => {
    const zone = fc.constantFrom(...Intl.supportedValuesOf('timeZone'));
    const time = fc.integer({
      min: Date.parse('0000-01-01T00:00:00Z'),
      max: Date.parse('9999-12-30T00:00:00Z'),
    });
    const recent = fc.integer({
      min: Date.parse('1900-01-01T00:00:00Z'),
      max: Date.parse('2040-01-01T00:00:00Z'),
    });
    const property = fc.property(zone, fc.oneof(time, recent), (name, at) => {
      const days = TimeZone.of(name);
      const shownAt = (instant: number): number => instant + days.offsetAt(instant);
      const next = TimeZone.nextDay(days, Instant.at(at));
      expect(next).to.be.greaterThan(at);
      expect(next - at).to.be.at.most(2 * dayMs);
      // The first time of a date: midnight, or what the change that skips it shows.
      expect(Math.floor(shownAt(next) / dayMs)).to.be.greaterThan(Math.floor(shownAt(next - 1) / dayMs));
      if (days.offsetAt(next) === days.offsetAt(next - 1)) expect(shownAt(next) % dayMs).to.equal(0);
    });
    fc.assert(property, { numRuns: 300 });
  });
});

describe('The name of a time zone', () => {
  it('is one of the IANA database, in letters of either case', () => {
    for (const name of [
      'Europe/Vienna',
      'europe/vienna',
      'UTC',
      'America/Argentina/Buenos_Aires',
      'Etc/GMT+5',
    ])
      expect(TimeZone.rule.violation(name), name).to.equal(undefined);
  });

  it('is no offset, no name that only a machine knows, and no other text', () => {
    const wrong = [
      '',
      '+01:00',
      '-05',
      'Europe/Wien',
      'localtime',
      'Etc/Unknown',
      ' UTC',
      'UTC ',
      'Europe/Vienna\0',
    ];
    for (const name of [...wrong, `A${'/a'.repeat(50)}`, 'Zürich'])
      expect(TimeZone.rule.violation(name), name).to.match(/such as Europe\/Vienna$/);
  });
});
