import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { temporaryFolder } from '../../support/temporary.ts';

const program = fileURLToPath(new URL('../../../bootstrap/portico.mjs', import.meta.url));

describe('The report of an import', () => {
  const folder = temporaryFolder();
  /** More than a pipe holds. */
  const count = 5_000;
  const settings = () => ({ DATABASE_URL: `sqlite:${folder('a.db')}` });
  before(() => writeFileSync(folder('bad.jsonl'), '{"sku":"A"}\n'.repeat(count)));

  const start = () =>
    spawn(process.execPath, [program, 'import', 'products', folder('bad.jsonl'), '--quiet'], {
      env: settings(),
      stdio: ['ignore', 'pipe', 'pipe'],
    });

  it('is complete, however slow its reader is', async () => {
    const task = start();
    const closed = once(task, 'close');
    const output = text(task.stdout);
    await once(task.stderr, 'readable');
    // A process that does not wait for its reader ends within this time.
    await Promise.race([once(task, 'exit'), pause(1_500)]);
    const errors = await text(task.stderr);
    expect(errors.match(/^line \d+: /gm)).to.have.lengthOf(count);
    expect(await output).to.match(/ 5000 rejected\.\n$/);
    expect((await closed)[0]).to.equal(3);
  });

  it('does not stop the import when its reader is gone', async () => {
    const task = start();
    task.stderr.destroy();
    const closed = once(task, 'close');
    expect(await text(task.stdout)).to.match(/ 5000 rejected\.\n$/);
    expect((await closed)[0]).to.equal(3);
  });
});
