import { writeFileSync } from 'node:fs';
import type { Server } from 'node:net';
import { expect } from 'chai';
import { temporaryFolder } from '../../support/temporary.ts';
import { failedStart } from '../support/failed-start.ts';
import { leave, occupy, portOf } from '../support/ports.ts';

describe('A start that fails', () => {
  const place = temporaryFolder();
  let taken: Server;
  before(async () => {
    taken = await occupy();
  });
  after(() => leave(taken));

  it('names the setting in one line, and no secret', async () => {
    writeFileSync(place('text.db'), 'This is no database. '.repeat(100));
    const inFolder =
      /^DATABASE_URL names a file whose folder cannot be created: .*\. Create \/dev\/null for this user, or name a file elsewhere\.$/;
    for (const [settings, expected] of [
      [{ RATE_LIMIT_MAX: 'many' }, /^RATE_LIMIT_MAX must be a whole number from 1 to \d+\.$/],
      [{ HOST: '0.0.0.0' }, /^HOST must be a loopback address .* TLS_CERT_FILE and TLS_KEY_FILE/],
      [{ PORT: `${portOf(taken)}` }, /^PORT \d+ is taken: .* \(EADDRINUSE\)\.$/],
      [{ OPS_PORT: `${portOf(taken)}` }, /^OPS_PORT \d+ is taken: .* \(EADDRINUSE\)\.$/],
      [{ HOST: '192.0.2.1', TRUST_PROXY: '1' }, /^HOST must be an address .* 192\.0\.2\.1 /],
      [{ DATABASE_URL: 'postgres://u:secret@127.0.0.1:1/a' }, /^DATABASE_URL .* cannot be used: /],
      [{ DATABASE_URL: 'sqlite:/dev/null/a.db' }, inFolder],
      [{ DATABASE_URL: `sqlite:${place('text.db')}` }, /^DATABASE_URL .* not a database/],
    ] as const) {
      expect(await failedStart(settings))
        .to.match(expected)
        .and.not.include('secret');
    }
  });

  it('names the folder of a file that the system does not create', async function () {
    if (process.platform !== 'linux') this.skip();
    expect(await failedStart({ DATABASE_URL: 'sqlite:/proc/nowhere/a.db' })).to.match(
      /^DATABASE_URL names a file whose folder cannot be created/,
    );
  });
});
