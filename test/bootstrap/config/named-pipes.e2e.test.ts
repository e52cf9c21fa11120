import { execFileSync } from 'node:child_process';
import { expect } from 'chai';
import { secretSettings } from '#bootstrap/config/secret-file.ts';
import { certificate } from '../../http/support/certificate.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { settingErrorOf } from '../support/settings.ts';

/** Reading a pipe to which nothing is written would never end. */
describe('A named pipe in place of a file', () => {
  const place = temporaryFolder();
  before(() => execFileSync('mkfifo', [place('pipe')]));

  it('is rejected for every secret, and not read', () => {
    for (const name of secretSettings) {
      expect(settingErrorOf({ [`${name}_FILE`]: place('pipe') })).to.match(
        new RegExp(`^${name}_FILE must name a regular file .*${place('pipe')}`),
      );
    }
  });

  it('is rejected for the files of TLS, and not read', () => {
    const { certFile: TLS_CERT_FILE, keyFile: TLS_KEY_FILE } = certificate;
    for (const [name, files] of [
      ['TLS_CERT_FILE', { TLS_KEY_FILE }],
      ['TLS_KEY_FILE', { TLS_CERT_FILE }],
    ] as const) {
      expect(settingErrorOf({ ...files, [name]: place('pipe') })).to.match(
        new RegExp(`^${name} .* a regular file of at most 1 MiB`),
      );
    }
    for (const name of ['sslrootcert', 'sslcert', 'sslkey']) {
      const url = `postgres://ada:word@db.example/shop?sslmode=verify-full&${name}=${place('pipe')}`;
      expect(settingErrorOf({ DATABASE_URL: url })).to.match(
        new RegExp(`${name}.* a regular file of at most 1 MiB`),
      );
      const replica = { DATABASE_URL: 'postgres://db.example/shop', DATABASE_REPLICA_URLS: url };
      expect(settingErrorOf(replica)).to.match(new RegExp(`^DATABASE_REPLICA_URLS .*${name}`));
    }
  });
});
