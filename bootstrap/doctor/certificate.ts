import { X509Certificate } from 'node:crypto';
import type { Config } from '../config.ts';
import { isLoopback } from '../loopback.ts';
import { type Finding, findingsOf } from './finding.ts';

const { ok, warn, fail } = findingsOf('tls');

const day = 86_400_000;

/** How long before its end a certificate should be renewed, in milliseconds. */
const notice = 30 * day;

/** That the files can be read and belong together the settings have seen to. */
export const checkCertificate = (
  { tls, host, behindProxy }: Pick<Config, 'tls' | 'host' | 'behindProxy'>,
  now = Date.now(),
): Finding => {
  if (tls === undefined) {
    if (behindProxy) return ok('a proxy in front speaks HTTPS, as TRUST_PROXY says');
    return ok(`none is needed on ${isLoopback(host) ? 'this machine alone' : host}`);
  }
  const { validFromDate, validToDate } = new X509Certificate(tls.cert);
  const until = validToDate.toISOString().slice(0, 10);
  const remedy = 'Renew it, put it where TLS_CERT_FILE and TLS_KEY_FILE say: a server that runs takes it up.';
  if (validToDate.getTime() <= now) return fail(`the certificate has expired on ${until}`, remedy);
  if (validFromDate.getTime() > now) {
    const from = validFromDate.toISOString();
    return fail(`the certificate is not valid before ${from}`, "Set this machine's clock, or wait.");
  }
  if (validToDate.getTime() - now <= notice) return warn(`the certificate expires on ${until}`, remedy);
  return ok(`the certificate and its key belong together, until ${until}`);
};
