import { expect } from 'chai';
import fc from 'fast-check';
import { Instant } from '#domain/instant.ts';

/** From the year 0 to the year 9999, as RFC 3339 knows them. */
const milliseconds = fc.integer({
  min: Date.parse('0000-01-01T00:00:00Z'),
  max: Date.parse('9999-12-31T23:59:59.999Z'),
});

const two = (count: number): string => String(count).padStart(2, '0');

/** Minutes east of Greenwich, as RFC 3339 writes them. */
const offsetOf = (minutes: number): string =>
  `${minutes < 0 ? '-' : '+'}${two(Math.floor(Math.abs(minutes) / 60))}:${two(Math.abs(minutes) % 60)}`;

describe('An instant', () => {
  it('round-trips through text and milliseconds', () => {
    fc.assert(
      fc.property(milliseconds, (time) => {
        const instant = Instant.at(time);
        expect(Instant.parse(instant)).to.equal(instant);
        expect(Instant.milliseconds(instant)).to.equal(time);
      }),
    );
  });

  it('sorts as text in the order of time', () => {
    fc.assert(
      fc.property(milliseconds, milliseconds, (one, other) => {
        expect(Instant.at(one) < Instant.at(other)).to.equal(one < other);
      }),
    );
  });

  it('is the same for every offset', () => {
    const day = 24 * 60;
    const inner = fc.integer({ min: Date.UTC(1, 0, 2), max: Date.UTC(9999, 11, 30) });
    fc.assert(
      fc.property(inner, fc.integer({ min: 1 - day, max: day - 1 }), (time, offset) => {
        const local = Instant.at(time + offset * 60_000).slice(0, -1);
        expect(Instant.parse(`${local}${offsetOf(offset)}`)).to.equal(Instant.at(time));
      }),
    );
  });

  it('adds and subtracts milliseconds', () => {
    const noon = Instant.at(Date.UTC(2026, 2, 1, 12));
    expect(Instant.plus(noon, 1)).to.equal('2026-03-01T12:00:00.001Z');
    expect(Instant.plus(noon, -1)).to.equal('2026-03-01T11:59:59.999Z');
  });

  const accepted: Readonly<Record<string, string>> = {
    '2026-03-01T12:00:00Z': '2026-03-01T12:00:00.000Z',
    '2026-03-01T12:00:00.1Z': '2026-03-01T12:00:00.100Z',
    '2026-03-01T12:00:00.123999Z': '2026-03-01T12:00:00.123Z',
    '2026-03-01T12:00:00.123456789+01:00': '2026-03-01T11:00:00.123Z',
    '2026-03-01t12:00:00z': '2026-03-01T12:00:00.000Z',
    '2026-03-01T00:30:00+02:00': '2026-02-28T22:30:00.000Z',
    '2026-03-01T12:00:00-00:00': '2026-03-01T12:00:00.000Z',
    '2024-02-29T00:00:00Z': '2024-02-29T00:00:00.000Z',
    '2000-02-29T23:59:59.999Z': '2000-02-29T23:59:59.999Z',
  };
  for (const [text, instant] of Object.entries(accepted)) {
    it(`reads ${text}`, () => {
      expect(Instant.parse(text)).to.equal(instant);
    });
  }

  it('is rounded up to the next millisecond for the end of a period', () => {
    for (const [text, instant] of [
      ['2026-03-01T12:00:00Z', '2026-03-01T12:00:00.000Z'],
      ['2026-03-01T12:00:00.123Z', '2026-03-01T12:00:00.123Z'],
      ['2026-03-01T12:00:00.123000Z', '2026-03-01T12:00:00.123Z'],
      ['2026-03-01T12:00:00.123000001Z', '2026-03-01T12:00:00.124Z'],
      ['2026-03-01T12:00:59.9991+00:30', '2026-03-01T11:31:00.000Z'],
      ['9999-12-31T23:59:59.9999Z', '9999-12-31T23:59:59.999Z'],
    ] as const) {
      expect(Instant.parseEnd(text), text).to.equal(instant);
    }
    expect(Instant.parseEnd('2026-03-01')).to.equal(undefined);
  });

  const invalid = [
    '',
    'tomorrow',
    '2026-03-01',
    '2026-03-01T12:00:00.1234567890Z',
    '2026-03-01T12:00Z',
    '2026-03-01T12:00:00',
    '2026-03-01 12:00:00Z',
    ' 2026-03-01T12:00:00Z',
    '2026-03-01T12:00:00Z\n',
    '2026-03-01T12:00:00.Z',
    '2026-03-01T12:00:00+0200',
    '2026-03-01T12:00:00+24:00',
    '2026-03-01T12:00:00+01:60',
    '2026-02-29T12:00:00Z',
    '2026-02-30T12:00:00+02:00',
    '2026-04-31T12:00:00Z',
    '1900-02-29T12:00:00Z',
    '2026-13-01T12:00:00Z',
    '2026-00-01T12:00:00Z',
    '2026-03-00T12:00:00Z',
    '2026-03-01T24:00:00Z',
    '2026-03-01T25:00:00Z',
    '2026-03-01T12:60:00Z',
    '2026-03-01T12:00:61Z',
    '+002026-03-01T12:00:00Z',
    '0000-01-01T00:00:00+01:00',
    '9999-12-31T23:59:59-01:00',
  ];
  for (const text of invalid) {
    it(`is not ${JSON.stringify(text)}`, () => {
      expect(Instant.parse(text)).to.equal(undefined);
    });
  }
});
