import { expect } from 'chai';
import { imageUrl, returnUrl } from '#domain/urls.ts';

describe('The address of an image', () => {
  it('is an https URL of up to 2048 characters', () => {
    const long = (length: number): string => 'https://example.com/'.padEnd(length, 'x');
    const valid = [
      'https://example.com',
      'HTTPS://EXAMPLE.COM/A.JPG',
      'https://bücher.example/ä.jpg?w=1,h=2#top',
    ];
    for (const url of [...valid, 'https://[2001:db8::1]:8443/', long(2048)])
      expect(imageUrl.violation(url), url).to.equal(undefined);
    expect(imageUrl.violation(long(2049))).to.equal('must have at most 2048 characters');
    expect(imageUrl.violation('')).to.equal('must not be empty');
  });

  it('is nothing that a parser of URLs would correct', () => {
    for (const url of [
      ...[
        'http://example.com/',
        'ftp://example.com/',
        '//example.com/',
        '/1.jpg',
        'example.com',
        'https:',
        'https://',
      ],
      ...['https:example.com', 'https:/example.com', 'https:///example.com', 'https://?x', 'https://#x'],
      ...[
        ' https://example.com',
        'https://example.com ',
        'https://example.com/a b.jpg',
        'https://exa\nmple.com',
      ],
      ...[
        'https://example.com\\1.jpg',
        'https://example.com:99999/',
        'https://exa<mple.com',
        'https://a..b%zz/',
      ],
      ...['data:image/png;base64,AA', 'javascript:alert(1)', 'https://example.com/\u0001', 'https://[::1/'],
    ])
      expect(imageUrl.violation(url), url).to.match(/^must be an https URL, such as /);
  });

  it('has no credentials', () => {
    for (const url of [
      'https://ada@example.com/',
      'https://ada:secret@example.com/',
      'https://:s@example.com/',
    ])
      expect(imageUrl.violation(url), url).to.equal('must not have a user name or password');
  });

  it('has a host, and a port, that can exist, unless it was stored before', () => {
    const unreachable = [
      ...['https://a..b/', 'https://.example/', 'https://-a.example/', 'https://a-.example/'],
      ...[`https://${'a'.repeat(64)}.example/`, 'https://*.example/', 'https://a.example../'],
      `https://${'a.'.repeat(126)}aa/`,
    ];
    for (const url of unreachable) {
      expect(imageUrl.violation(url), url).to.match(/^must have a host whose name can exist/);
      expect(returnUrl.violation(url), url).to.match(/^must have a host whose name can exist/);
      expect(imageUrl.limits?.violation(url), url).to.equal(undefined);
    }
    for (const url of [
      'https://a.example:0/',
      'https://0.0.0.0/',
      'https://255.255.255.255/',
      'https://[::]/',
    ])
      for (const rule of [imageUrl, returnUrl]) {
        expect(rule.violation(url), url).to.match(/^must have (?:a port from 1|the address of a host)/);
        expect(rule.limits?.violation(url), url).to.equal(undefined);
      }
    for (const url of [
      ...[
        'https://a-b.example./',
        'https://xn--bcher-kva.example/',
        'https://my_erp.internal/',
        'https://shop/',
      ],
      ...[`https://${'a'.repeat(63)}.example/`, `https://${'a.'.repeat(126)}a/`, 'https://192.0.2.1/'],
    ])
      expect(imageUrl.violation(url), url).to.equal(undefined);
  });

  it('has a pattern that every valid address matches', () => {
    for (const url of ['https://example.com', 'hTTps://example.com/ä?x#y', 'https://[::1]/'])
      expect(imageUrl.pattern?.test(url), url).to.equal(true);
  });
});

describe('The address to which a payer returns', () => {
  it('is an https URL of up to 2048 characters', () => {
    const long = (length: number): string => 'https://example.com/'.padEnd(length, 'x');
    for (const url of [
      'https://example.com',
      'HTTPS://EXAMPLE.COM/paid?order=7#top',
      'https://[2001:db8::1]:8443/',
      long(2048),
    ])
      expect(returnUrl.violation(url), url).to.equal(undefined);
    expect(returnUrl.violation(long(2049))).to.equal('must have at most 2048 characters');
    expect(returnUrl.violation('')).to.equal('must not be empty');
  });

  it('is an http URL only on a loopback address', () => {
    for (const host of ['localhost', 'LOCALHOST:8080', '127.0.0.1', '127.1.2.3:3000', '[::1]:80', '127.1'])
      expect(returnUrl.violation(`http://${host}/paid`), host).to.equal(undefined);
    for (const host of [
      'example.com',
      'localhost.example.com',
      '127.0.0.1.example.com',
      '10.0.0.1',
      '0.0.0.0',
      '[::2]',
    ])
      expect(returnUrl.violation(`http://${host}/paid`), host).to.match(/^must be an https URL/);
  });

  it('is nothing that a parser of URLs would correct, and holds no credential', () => {
    for (const url of [
      'ftp://example.com/',
      'javascript:alert(1)',
      '//example.com',
      'https:example.com',
      'https:///example.com',
      ' https://example.com',
      'https://example.com/a b',
      'https://exa\nmple.com',
      'https://example.com\\paid',
      'http://127.0.0.1 /',
    ])
      expect(returnUrl.violation(url), url).to.match(/^must be an https URL/);
    expect(returnUrl.violation('https://ada@example.com/')).to.equal('must not have a user name or password');
  });
});
