import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { secretBox } from '#adapters/secrets/secret-box.ts';
import { keysBeside } from '#adapters/secrets/secret-keys.ts';
import { temporaryFolder } from '../../support/temporary.ts';

const place = { ownerId: '1', secretId: '2' };

describe('The key beside a database in a file', () => {
  const folder = temporaryFolder();

  it('is one key over several processes', async () => {
    const program = `
      const { secretBox } = await import('#adapters/secrets/secret-box.ts');
      const { keysBeside } = await import('#adapters/secrets/secret-keys.ts');
      const sealed = await secretBox(keysBeside(process.argv[1], [])).seal('secret', { ownerId: '1', secretId: '2' });
      process.stdout.write(sealed);`;
    const run = async () => {
      const given = ['--input-type=module', '--eval', program, folder('portico.db')];
      return (await promisify(execFile)(process.execPath, given)).stdout;
    };
    const sealed = await Promise.all(Array.from({ length: 4 }, run));
    const box = secretBox(keysBeside(folder('portico.db'), []));
    for (const one of sealed) expect(await box.open(one, place)).to.equal('secret');
  });
});
