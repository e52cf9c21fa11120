import { expect } from 'chai';
import { isPublicAddress } from '#adapters/webhooks/receiver-guard.ts';
import { Random } from '../../support/random.ts';
import { boundsOf, ipv4Of, ipv6Of } from './address-numbers.ts';
import { otherIPv4, otherIPv6, specialIPv4, specialIPv6 } from './special-ranges.ts';

const families = [
  { name: 'IPv4', bits: 32n, write: ipv4Of, ranges: [...specialIPv4, ...otherIPv4] },
  { name: 'IPv6', bits: 128n, write: ipv6Of, ranges: [...specialIPv6, ...otherIPv6] },
] as const;

/** An interface id that carries an IPv4 address (RFC 5214). */
const isIsatap = (value: bigint, bits: bigint): boolean =>
  bits === 128n && ((value >> 32n) & 0xfdffffffn) === 0x5efen;

for (const { name, bits, write, ranges } of families)
  describe(`A public address of ${name}`, () => {
    const bounds = ranges.map(([range]) => boundsOf(range));
    const isListed = (value: bigint): boolean =>
      isIsatap(value, bits) || bounds.some(({ first, last }) => value >= first && value <= last);

    it('is in no special range', () => {
      for (const [range] of ranges) {
        const { first, last } = boundsOf(range);
        for (const value of [first, first + (last - first) / 3n, last])
          expect(isPublicAddress(write(value)), write(value)).to.equal(false);
        for (const value of [first - 1n, last + 1n]) {
          if (value < 0n || value >> bits > 0n) continue;
          expect(isPublicAddress(write(value)), write(value)).to.equal(!isListed(value));
        }
      }
    });

    it('is every other one', () => {
      const random = new Random(36);
      const counts = { open: 0, listed: 0 };
      for (let index = 0; index < 20_000; index += 1) {
        let value = 0n;
        for (let filled = 0n; filled < bits; filled += 16n)
          value = (value << 16n) + BigInt(random.below(65_536));
        // Half of the numbers are in the part of IPv6 that is assigned.
        if (bits === 128n && random.chance(0.5)) value = (value & ((1n << 125n) - 1n)) | (1n << 125n);
        expect(isPublicAddress(write(value)), write(value)).to.equal(!isListed(value));
        counts[isListed(value) ? 'listed' : 'open'] += 1;
      }
      expect(Math.min(counts.open, counts.listed)).to.be.greaterThan(1_000);
    });
  });

describe('A public address', () => {
  it('is that of a host of the Internet', () => {
    for (const address of ['1.1.1.1', '93.184.216.34', '223.255.255.255', '2606:4700:4700::1111', '2a00::1'])
      expect(isPublicAddress(address), address).to.equal(true);
  });

  it('carries no IPv4 address, not even a public one: a gateway could translate it to any host', () => {
    for (const address of [
      ...[
        '::ffff:127.0.0.1',
        '::ffff:7f00:1',
        '::ffff:1.1.1.1',
        '::127.0.0.1',
        '::1.1.1.1',
        '::ffff:0:1.1.1.1',
      ],
      ...['64:ff9b::10.0.0.1', '64:ff9b::101:101', '64:ff9b:1::a00:1', '2002:7f00:1::', '2002:101:101::1'],
      ...['2001:0:4136:e378:8000:63bf:3fff:fdd2', '2a00::5efe:7f00:1', '2a00::200:5efe:10.0.0.1'],
    ])
      expect(isPublicAddress(address), address).to.equal(false);
    expect(isPublicAddress('2a00::5eff:7f00:1')).to.equal(true);
  });

  it('has one strict form: whatever another program could read as another address is none', () => {
    for (const text of [
      ...[
        '',
        '1',
        '1.1',
        '1.1.1',
        '16843009',
        '0x01010101',
        '01.01.01.01',
        '1.1.1.01',
        '0x1.1.1.1',
        '1.1.1.1.',
      ],
      ...[
        ' 1.1.1.1',
        '1.1.1.1 ',
        '1.1.1.1/32',
        '1.1.1.256',
        'example.com',
        '[2a00::1]',
        '2a00::1%eth0',
        '2a00:::1',
      ],
      ...['2a00::1/64', '::ffff:1.1.1.1%1', '１.1.1.1'],
    ])
      expect(isPublicAddress(text), text).to.equal(false);
  });
});
