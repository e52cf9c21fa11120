import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { certificate, tls } from '../support/certificate.ts';
import { Service } from '../support/service.ts';
import { credential } from '../support/wire.ts';

describe('curl --http2', () => {
  const service = new Service(tls, 'memory');
  before(() => service.start());
  after(() => service.end());

  it('falls back to HTTP/1.1', async () => {
    const { stdout } = await promisify(execFile)('curl', [
      ...['--silent', '--show-error', '--http2', '--cacert', certificate.certFile],
      ...['--header', credential(service.operator), '--output', '/dev/null'],
      ...['--write-out', '%{http_code} %{http_version}', `${service.url}/v1/products`],
    ]);
    expect(stdout).to.equal('200 1.1');
  });
});
