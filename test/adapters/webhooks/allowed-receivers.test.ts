import { expect } from 'chai';
import {
  isAllowedAddress,
  isAllowedName,
  parseAllowedReceivers,
} from '#adapters/webhooks/allowed-receivers.ts';

const allowed = (text: string) => {
  const parsed = parseAllowedReceivers(text);
  if (parsed === undefined) throw new TypeError(text);
  return parsed;
};

describe('The list of allowed receivers', () => {
  it('has hosts, suffixes, addresses and ranges, each with a port or with all', () => {
    for (const text of [
      ...['erp.internal:8080', 'localhost:*', '*.internal:*', '10.0.0.5:8080', '10.0.0.0/8:*', '[::1]:80'],
      ...[
        '[fd00::/8]:443',
        'fd00::/8:443',
        ' a.example:1 , b.example:65535 ',
        'Bücher.Example:1',
        'erp.internal.:80',
      ],
      '0.0.0.0/0:*',
    ])
      expect(parseAllowedReceivers(text), text).to.be.an('array').that.is.not.empty;
  });

  it('has no entry that could mean something else', () => {
    for (const text of [
      ...[
        '',
        ',',
        'erp.internal',
        'erp.internal:',
        ':80',
        '*:80',
        '*:*',
        '*.:80',
        '*.*.internal:80',
        'a*.internal:80',
      ],
      ...[
        'erp.internal:0',
        'erp.internal:65536',
        'erp.internal:080',
        'erp.internal:http',
        'http://erp.internal:80',
      ],
      ...[
        '10.0.0.0/33:*',
        '10.0.0/8:*',
        '10.0.0.0/:*',
        '10.0.0.0/8/8:*',
        '10.0.0.0/-1:*',
        '010.0.0.0/8:*',
        '10.1:80',
      ],
      ...[
        '::1:80',
        'fd00::1:*',
        '[::1]',
        '[::1',
        '::1]:80',
        '[fe80::1%1]:80',
        '[fd00::/129]:*',
        '[::1/]:*',
        '[]:80',
      ],
      ...['a b:80', 'a@b:80', 'a/b:80', 'a.example:80,', '0x7f.1:80', '*.10.0.0.1:80', '*.0x7f.1:1'],
      Array.from({ length: 101 }, (_, index) => `h${index}.example:80`).join(','),
    ])
      expect(parseAllowedReceivers(text), text).to.equal(undefined);
  });

  it('matches names as they are written in URLs, and with the dot at their end', () => {
    const list = allowed('erp.internal:8080,*.corp.example:*,bücher.example:1');
    for (const [host, port, matches] of [
      ['erp.internal', 8080, true],
      ['erp.internal.', 8080, true],
      ['erp.internal', 8081, false],
      ['a.erp.internal', 8080, false],
      ['a.corp.example', 1, true],
      ['corp.example', 1, false],
      ['evilcorp.example', 1, false],
      ['xn--bcher-kva.example', 1, true],
    ] as const)
      expect(isAllowedName(list, host, port), `${host}:${port}`).to.equal(matches);
  });

  it('matches addresses of the same family only', () => {
    const list = allowed('10.0.0.0/8:25,[fd00::/8]:*');
    for (const [address, port, matches] of [
      ['10.0.0.0', 25, true],
      ['10.255.255.255', 25, true],
      ['10.0.0.1', 26, false],
      ['11.0.0.0', 25, false],
      ['::ffff:10.0.0.1', 25, false],
      ['fdff::1', 1, true],
      ['fd00::1%eth0', 1, false],
      ['fe00::1', 1, false],
      ['erp.internal', 25, false],
    ] as const)
      expect(isAllowedAddress(list, address, port), `${address}:${port}`).to.equal(matches);
  });
});
