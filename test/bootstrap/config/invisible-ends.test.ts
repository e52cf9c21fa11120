import { expectInvalid } from '../support/settings.ts';

const key = 'k'.repeat(32);

describe('A value with an invisible end', () => {
  it('is shown as such', () => {
    for (const [name, text] of [
      ['PORT', '3000\r'],
      ['PORT', ' 3000'],
      ['LOG_LEVEL', 'info\u200b'],
      ['CORS_ORIGIN', '\ufeffhttps://shop.example'],
      ['ADMIN_API_KEY', `${key}\u00a0`],
      ['DATABASE_URL', '\u200bmemory:'],
      ['TRUST_PROXY', '1\n'],
    ] as const) {
      expectInvalid(
        { [name]: text },
        name,
        /\. Its value begins or ends with a space or an invisible character/,
      );
    }
  });

  it('gets no such advice where it is wrong in another way', () => {
    expectInvalid({ PORT: 'x' }, 'PORT', /^PORT must be a whole number from 0 to 65535\.$/);
  });
});
