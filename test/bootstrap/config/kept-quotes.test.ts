import { writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { readConfig } from '#bootstrap/config/config.ts';
import { environmentIn } from '../../deploy/files.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { runHere } from '../support/portico.ts';
import { settingErrorOf } from '../support/settings.ts';

const key = 'k'.repeat(32);

describe('A value whose quotes were kept', () => {
  const place = temporaryFolder();

  it('is rejected for every setting', () => {
    for (const [name, byDefault] of environmentIn('.env.example')) {
      for (const quote of ['"', "'", '`']) {
        for (const value of [byDefault, key, '', 'a\nb']) {
          for (const text of [`${quote}${value}${quote}`, ` ${quote}${value}${quote}\r\n`]) {
            const message = settingErrorOf({ [name]: text });
            expect(message).to.match(
              new RegExp(`^${name} must not begin and end with a quote\\. Remove both: .*\\.$`),
            );
            expect(message).not.to.include(key);
          }
        }
      }
    }
  });

  it('is rejected for every setting where its name was pasted too', () => {
    for (const [name] of environmentIn('.env.example')) {
      expect(settingErrorOf({ [name]: `${name}=${key}` })).to.equal(
        `${name} must be the value alone. Remove ${name}= at its beginning.`,
      );
    }
  });

  it('is no other value with quotes', () => {
    for (const text of ['"', `"${key}`, `${key}'`, `"${key}'`, `${key.slice(2)}"k"k`]) {
      const whole = text.padEnd(32, 'x');
      expect(readConfig({ ADMIN_API_KEY: whole }).adminApiKey).to.equal(whole);
    }
  });

  it('is rejected by the commands that need one setting only', async () => {
    const store = place('store.mjs');
    writeFileSync(store, 'export const apiVersion = 0; export const openStore = () => undefined;');
    for (const [words, name] of [
      [['openapi'], 'PUBLIC_URL'],
      [['conformance', store], 'DATABASE_URL'],
    ] as const) {
      const settings = { [name]: '"https://shop.example"' };
      const { code, errors } = await runHere(words, settings);
      expect([code, errors]).to.deep.equal([
        1,
        `portico: ${name} must not begin and end with a quote. Remove both: tools such as docker run --env-file keep them as a part of the value.\n`,
      ]);
    }
  });
});
