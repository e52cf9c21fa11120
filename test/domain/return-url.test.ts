import { expect } from 'chai';
import { returnUrl } from '#domain/urls.ts';

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
