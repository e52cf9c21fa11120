import { expect } from 'chai';
import {
  containsCredential,
  containsOwnCredential,
  protectKey,
  redactCredentials,
} from '#adapters/support/credentials.ts';
import { ends } from '../../support/ends.ts';

const credentials: Readonly<Record<string, string>> = {
  'an API key': `ptc_${'0123456789abcdef'.repeat(2)}_${'x'.repeat(49)}`,
  'a publishable API key': `ptp_${'0123456789abcdef'.repeat(2)}_${'x'.repeat(49)}`,
  'a live key of Stripe': 'sk_live_51NotToBeSeenAnywhere',
  'a restricted key of Stripe': 'rk_test_51NotToBeSeenAnywhere',
  'a secret of a webhook endpoint': `whsec_${'NotToBeSeen+/0123456789'.padEnd(43, 'x')}=`,
  'a percent-encoded secret of a webhook endpoint': `whsec_Not%2FToBeSeen%2B0123456789${'x'.repeat(20)}%3D`,
  "a secret of Stripe's webhook endpoints": 'whsec_NotToBeSeenAnywhere012345678901',
  'a JWT': 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJjYW5hcnkifQ.Y2FuYXJ5',
  'an unsigned JWT': 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJjYW5hcnkifQ.',
};

/** What can stand beside a credential. */
const prefixes = ['', 'key_', 'retry_', 'a', 'Z', '0', '_', '__', '-', '.', ':', 'retry-', 'é', 'order 7 '];
const suffixes = ['', '_again', 'a', 'Z', '0', '_', '-', '.', ' again', 'é'];

/** Texts of clients that only resemble one. */
const harmless = [
  '',
  'task_test_1',
  'risk_live_check',
  'task_test_20261126',
  'receptc_1',
  'ptc_1',
  'ptp_1',
  'whsec_MfKQ…',
  'whsec_previous_2',
  'monkeyJungle.com.au',
  'keyJ.a.b',
  'eyJ',
  '01a21371-b4fa-7bf9-bf85-2163bc69e1c3',
];

describe('A credential', () => {
  for (const [what, credential] of Object.entries(credentials)) {
    it(`is recognized and replaced wherever it begins: ${what}`, () => {
      for (const before of prefixes) {
        for (const after of suffixes) {
          const text = `${before}${credential}${after}`;
          expect(containsCredential(text), text).to.equal(true);
          expect(redactCredentials(text), text).to.include('…').and.not.include(credential.slice(4, 20));
        }
      }
    });
  }

  it('is nothing that only looks a little like one', () => {
    for (const text of harmless) {
      expect(containsCredential(text), text).to.equal(false);
      expect(redactCredentials(text)).to.equal(text);
    }
  });

  it('is found in a time that grows with the length of the text only', () => {
    for (const part of [
      'eyJ',
      'a.',
      'eyJ.',
      'eyJa.eyJ',
      'sk_live_',
      'ptc_',
      'ptc_0',
      'a-',
      'eyJa.eyJb',
      'whsec_',
      'whsec_%2',
    ]) {
      const text = part.repeat(100_000);
      expect(
        () =>
          ends(() => {
            containsCredential(text);
            redactCredentials(text);
          }),
        part,
      ).not.to.throw();
    }
  });

  it('can be a key of the configuration, until that is released', () => {
    const key = 'an-operator-key-without-any-form-at-all';
    const releases = [protectKey(key), protectKey(key)];
    for (const before of prefixes) expect(containsCredential(`${before}${key}x`)).to.equal(true);
    for (const release of releases) {
      expect(containsCredential(key)).to.equal(true);
      release();
    }
    expect(containsCredential(key)).to.equal(false);
  });

  it('can be the one of the request itself, whatever its form', () => {
    const own = 'an-opaque-token';
    for (const text of [own, `key_${own}`, `${own}_1`])
      expect(containsOwnCredential(text, `Bearer ${own}`), text).to.equal(true);
    expect(containsOwnCredential('short', 'bearer short')).to.equal(true);
    for (const [text, header] of [
      ['shorter', 'Bearer short'],
      ['other', `Bearer ${own}`],
      ['', ''],
      ['a', 'Bearer '],
      ['a', undefined],
    ] as const) {
      expect(containsOwnCredential(text, header), text).to.equal(false);
    }
  });
});
