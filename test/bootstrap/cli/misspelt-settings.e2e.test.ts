import { writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { temporaryFolder } from '../../support/temporary.ts';
import { ending, portico, runHere } from '../support/portico.ts';
import { startServer } from '../support/server.ts';

const warning = '.env sets DATABSE_URL, which is no setting of Portico. Did you mean DATABASE_URL?';

describe('A misspelt name in .env', () => {
  const place = temporaryFolder();
  const write = (...lines: readonly string[]): void => writeFileSync(place('.env'), `${lines.join('\n')}\n`);
  const run = (words: readonly string[], settings: Readonly<Record<string, string>> = {}) =>
    ending(portico(words, { settings, folder: place() }));

  it('is reported by the server in its log', async () => {
    write('DATABSE_URL=postgres://db/shop', 'POSTGRES_USER=ada', 'LOG_FORMATT=');
    const { program } = await startServer({ DATABASE_URL: '' }, { folder: place() });
    await program.printed(/is no setting/, { on: 'errors' });
    await program.kill();
    const warnings = program.errors.split('\n').filter((line) => line.includes('is no setting'));
    expect(warnings.map((line) => JSON.parse(line))).to.have.lengthOf(1);
    expect(JSON.parse(warnings[0] ?? '')).to.include({
      level: 40,
      msg: warning,
    });
  });

  it('is reported by commands once, and not where the environment has the setting', async () => {
    write();
    await runHere(
      ['users', 'create', '--email', 'ada@example.com', '--name', 'Ada'],
      {},
      { folder: place() },
    );
    write('DATABSE_URL=postgres://db/shop');
    const url = `sqlite:${place('shop.db')}`;
    const line = `portico: ${warning}\n`;
    const listed = await run(['keys', 'list', '--json']);
    expect([listed.code, listed.errors.split(line).length - 1]).to.deep.equal([0, 1]);
    const elsewhere = await run(['migrate', 'up'], { DATABASE_URL: url });
    expect(elsewhere).to.include({ code: 0, errors: 'The tables are up to date.\n' });
  });
});
