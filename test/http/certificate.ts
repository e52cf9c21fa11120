import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface Certificate {
  readonly certFile: string;
  readonly keyFile: string;
  /** PEM, for whoever is to trust it. */
  readonly cert: string;
  remove(): Promise<void>;
}

/** A certificate for 127.0.0.1 that nobody but its own key has signed. */
export const selfSigned = async (): Promise<Certificate> => {
  const folder = await mkdtemp(join(tmpdir(), 'portico-certificate-'));
  const [certFile, keyFile] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'];
  const name = ['-subj', '/CN=portico.test', '-addext', 'subjectAltName=IP:127.0.0.1'];
  await run('openssl', ['req', ...kind, ...name, '-keyout', keyFile, '-out', certFile]);
  return {
    certFile,
    keyFile,
    cert: await readFile(certFile, 'utf8'),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
};
