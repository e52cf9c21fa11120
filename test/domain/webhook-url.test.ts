import { expect } from 'chai';
import fc from 'fast-check';
import { webhookUrl } from '#domain/webhooks/url.ts';

describe('The URL of a webhook endpoint', () => {
  it('is an https URL, or an http URL for receivers that the operator has allowed', () => {
    for (const url of [
      ...['https://example.com', 'https://example.com/hooks?shop=1', 'https://example.com:8443/'],
      ...['HTTPS://EXAMPLE.COM/', 'https://bücher.example/', 'https://[2001:db8::1]/'],
      'http://erp.internal:8080/hooks',
    ])
      expect(webhookUrl.violation(url), url).to.equal(undefined);
    for (const url of [
      'ftp://example.com/',
      'example.com',
      'https:example.com',
      'https://',
      'ws://a.example/',
    ])
      expect(webhookUrl.violation(url), url).to.match(/^must be an https URL, such as /);
  });

  it('has a host whose name can exist, unless it was stored before', () => {
    expect(webhookUrl.violation('https://a..b/')).to.match(/^must have a host whose name can exist/);
    expect(webhookUrl.limits?.violation('https://a..b/')).to.equal(undefined);
    expect(webhookUrl.limits?.violation('https://a..b/#c')).to.equal('must not have a fragment');
  });

  it('has up to 2048 characters', () => {
    expect(webhookUrl.violation('https://example.com/'.padEnd(2048, 'x'))).to.equal(undefined);
    expect(webhookUrl.violation('https://example.com/'.padEnd(2049, 'x'))).to.equal(
      'must have at most 2048 characters',
    );
  });

  it('has no credentials', () => {
    for (const url of [
      'https://ada@example.com/',
      'https://ada:secret@example.com/',
      'http://:s@example.com/',
    ])
      expect(webhookUrl.violation(url), url).to.equal('must not have a user name or password');
  });

  it('has no fragment, not even an empty one', () => {
    for (const url of [
      'https://example.com/#top',
      'https://example.com/?a=1#',
      'https://example.com/a%20b#c',
    ])
      expect(webhookUrl.violation(url), url).to.equal('must not have a fragment');
    expect(webhookUrl.violation('https://example.com/%23top')).to.equal(undefined);
  });

  it('has a pattern that every valid URL matches', () => {
    fc.assert(
      fc.property(fc.webUrl({ withQueryParameters: true }), (url) => {
        expect(webhookUrl.violation(url), url).to.equal(undefined);
        expect(webhookUrl.pattern?.test(url), url).to.equal(true);
      }),
    );
  });
});
