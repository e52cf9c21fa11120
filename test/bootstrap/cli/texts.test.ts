import { expect } from 'chai';
import { temporaryFolder } from '../../support/temporary.ts';
import { runHere } from '../support/portico.ts';

describe('A text on the command line', () => {
  const folder = temporaryFolder();
  const run = (...words: readonly string[]) =>
    runHere(words, { DATABASE_URL: `sqlite:${folder('shop.db')}` });

  const id = '01890000-0000-7000-8000-000000000000';
  const rejected: readonly (readonly [words: readonly string[], message: string])[] = [
    [['users', 'create', '--email', 'a@b.example', '--name', 'Ada '], '--name must not end with a space.'],
    [
      ['users', 'create', '--email', 'a@b.example', '--name', '\u200b'],
      '--name must have a character that is visible.',
    ],
    [
      ['users', 'create', '--email', 'ada\u0301@b.example', '--name', 'Ada'],
      '--email must have only ASCII characters before the @.',
    ],
    [['users', 'list', '--email', 'a b@c.example'], '--email must be an e-mail address.'],
    [
      ['keys', 'create', '--admin', '--name', '\ufeffLaptop'],
      '--name must not begin with an invisible character (U+FEFF).',
    ],
    [
      ['payments', 'settle', id, '--succeeded', 'ch_1\u00a0'],
      '--succeeded must not end with white space (U+00A0).',
    ],
  ];
  it('is rejected with what is wrong with it', async () => {
    for (const [words, message] of rejected) {
      const { code, errors } = await run(...words);
      expect(errors).to.equal(`portico: ${message}\n`);
      expect(code).to.equal(2);
    }
  });

  it('names a user by an address whose domain is in Unicode or in ASCII', async () => {
    await run('users', 'create', '--email', 'Ada@Käse.example', '--name', 'Ada');
    for (const email of ['ada@käse.example', 'ADA@KA\u0308SE.example', 'ada@xn--kse-qla.example']) {
      const { output } = await run('users', 'list', '--email', email, '--json');
      expect(JSON.parse(output).map((user: { email: string }) => user.email)).to.deep.equal([
        'ada@xn--kse-qla.example',
      ]);
      expect((await run('keys', 'create', '--user', email)).code).to.equal(0);
    }
  });
});
