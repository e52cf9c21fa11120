import { execFile } from 'node:child_process';
import { copyFile, rename, rm } from 'node:fs/promises';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { startServer } from '../../bootstrap/support/server.ts';
import type { Program } from '../../lab/program.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { certificate } from '../support/certificate.ts';

describe('The certificate of a whole program', () => {
  const place = temporaryFolder();
  const programs: Program[] = [];
  afterEach(async () => {
    await Promise.all(programs.splice(0).map((program) => program.kill()));
  });

  /** Starts a server with a copy of a certificate. */
  const start = async (name: string, certFile: string) => {
    const [cert, key] = [place(`${name}-cert.pem`), place(`${name}-key.pem`)];
    await copyFile(certFile, cert);
    await copyFile(certificate.keyFile, key);
    const { program } = await startServer({
      DATABASE_URL: 'memory:',
      TLS_CERT_FILE: cert,
      TLS_KEY_FILE: key,
    });
    programs.push(program);
    const warnings = async () => {
      await program.printed(/\n/, { on: 'errors' });
      return program.errors.split('\n').slice(0, -1);
    };
    return { cert, warnings, program };
  };

  it('that has expired causes a warning at the start and when it is loaded', async () => {
    const { cert, warnings } = await start('valid', certificate.certFile);
    // Replaced atomically: half of a file would cause an error too.
    await copyFile(certificate.expiredCertFile, `${cert}.new`);
    await rename(`${cert}.new`, cert);
    const [taken, ...others] = await warnings();
    const [atStart] = await (await start('expired', certificate.expiredCertFile)).warnings();
    expect(others).to.deep.equal([]);
    for (const line of [taken, atStart]) {
      expect(JSON.parse(line ?? '')).to.include({
        level: 40,
        msg: 'The certificate has expired on 2026-01-01T00:00:00.000Z.',
      });
    }
  });

  it('is replaced by the next one although a pipe was in its place', async () => {
    const { cert, warnings, program } = await start('piped', certificate.certFile);
    await rm(cert);
    await promisify(execFile)('mkfifo', [cert]);
    await warnings();
    await rm(cert);
    await copyFile(certificate.expiredCertFile, cert);
    await program.printed(/has expired/, { on: 'errors' });
  });
});
