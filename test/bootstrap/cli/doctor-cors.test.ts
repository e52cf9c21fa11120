import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { checkCors, checkPublicOrigin } from '#bootstrap/cli/doctor/cors.ts';
import { readConfig } from '#bootstrap/config/config.ts';

const full = {
  CORS_ALLOW_METHODS: 'GET, POST, PUT, PATCH, DELETE',
  CORS_ALLOW_HEADERS: 'Content-Type, Authorization, Idempotency-Key, If-Match, If-None-Match',
};
const configOf = (environment: Readonly<Record<string, string>>) =>
  readConfig({ DATABASE_URL: 'memory:', ...environment });
const check = (environment: Readonly<Record<string, string>>) => checkCors(configOf(environment));

describe('The doctor, of pages in browsers,', () => {
  it('warns until an origin is set, and names the three lines of the guide', () => {
    const guide = readFileSync(new URL('../../../docs/guides/from-a-browser.md', import.meta.url), 'utf8');
    for (const settings of [{}, { CORS_ORIGIN: '' }, { ...full }, { PORT: '80' }]) {
      const { state, message, remedy } = check(settings);
      expect([state, message]).to.deep.equal([
        'warn',
        'no page of yours can call the API from a browser: CORS_ORIGIN is not set',
      ]);
      const lines = /set (CORS_ORIGIN=\S+), (CORS_ALLOW_METHODS=.+) and (CORS_ALLOW_HEADERS=.+)\. W/.exec(
        remedy ?? '',
      );
      expect(guide).to.include(lines?.slice(1).join('\n'));
    }
  });

  it('warns of what a page cannot send', () => {
    const origin = { CORS_ORIGIN: 'https://shop.example' };
    const cases = [
      [{}, /cannot send PATCH \(.*\), Idempotency-Key \(payments\)$/],
      [{ ...full, CORS_ALLOW_METHODS: 'GET, POST' }, /cannot send PATCH \([^)]+\)$/],
      [{ ...full, CORS_ALLOW_HEADERS: 'Idempotency-Key' }, /send Authorization \(.*\), Content-Type \(.*\)$/],
      [{ CORS_ALLOW_METHODS: 'GET', CORS_ALLOW_HEADERS: 'X-Request-Id' }, /cannot send Authorization \(/],
    ] as const;
    for (const [settings, message] of cases) {
      const finding = check({ ...origin, ...settings });
      expect(finding.state).to.equal('warn');
      expect(finding.message).to.match(message);
      expect(finding.remedy).to.equal(
        `Set CORS_ALLOW_METHODS=${full.CORS_ALLOW_METHODS} and CORS_ALLOW_HEADERS=${full.CORS_ALLOW_HEADERS}.`,
      );
    }
  });

  it('accepts what a shop sends, and a page that only reads', () => {
    for (const settings of [
      full,
      { ...full, CORS_ALLOW_HEADERS: 'authorization,content-type,idempotency-key' },
      { CORS_ALLOW_METHODS: 'GET', CORS_ALLOW_HEADERS: 'Authorization' },
    ]) {
      const { state, message } = check({ CORS_ORIGIN: 'https://shop.example', ...settings });
      expect([state, message]).to.deep.equal(['ok', 'pages of https://shop.example can call the API']);
    }
  });

  it('wants the origin of real pages before going live', () => {
    const warnings = (origin: string) =>
      checkPublicOrigin(configOf({ CORS_ORIGIN: origin })).map(
        ({ state, message }) => `${state}: ${message}`,
      );
    for (const origin of ['', 'https://shop.example']) expect(warnings(origin), origin).to.deep.equal([]);
    for (const origin of [
      'http://localhost:5173',
      'https://127.0.0.1:5173',
      'http://[::1]:5173',
      'http://a.localhost',
    ]) {
      expect(warnings(origin)[0], origin).to.match(/^warn: \S+ is on the machine of the person who opens/);
    }
    expect(warnings('http://shop.example')).to.deep.equal([
      'warn: pages of http://shop.example are not encrypted: they and their keys can be read and changed on the way',
    ]);
  });
});
