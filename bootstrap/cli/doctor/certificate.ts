import { doubtAt, validityOf } from '#adapters/system/certificate-validity.ts';
import type { Config } from '../../config/config.ts';
import { isLoopback } from '../../config/loopback.ts';
import { type Finding, findingsOf } from './finding.ts';

const { ok, warn, fail } = findingsOf('tls');

/** That the files can be read and belong together the settings have seen to. */
export const checkCertificate = (
  { tls, host, behindProxy }: Pick<Config, 'tls' | 'host' | 'behindProxy'>,
  now = Date.now(),
): Finding => {
  if (tls === undefined) {
    if (behindProxy) return ok('a proxy in front speaks HTTPS, as TRUST_PROXY says');
    return ok(`none is needed on ${isLoopback(host) ? 'this machine alone' : host}`);
  }
  const validity = validityOf(tls.cert);
  const doubt = doubtAt(now, validity);
  if (doubt === undefined) {
    const until = validity.until.toISOString().slice(0, 10);
    return ok(`the certificate and its key belong together, until ${until}`);
  }
  const says = `the certificate ${doubt.says}`;
  if (doubt.state === 'early') return fail(says, "Set this machine's clock, or wait.");
  const remedy = 'Renew it, put it where TLS_CERT_FILE and TLS_KEY_FILE say: a server that runs takes it up.';
  return doubt.state === 'expired' ? fail(says, remedy) : warn(says, remedy);
};
