import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { returnMark } from './requests.ts';
import { findLeaks } from './secrets.ts';

it('Chaos finds client secrets and addresses of payers in logs and metrics', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'portico-'));
  const log = join(folder, 'it.log');
  await writeFile(log, `{"path":"/v1/payments"}\n{"secret":"pi_1_secret_2"}\n{"url":"/${returnMark}"}\n`);
  const metrics = createServer((_, response) =>
    response.end('up 1\nurl{at="https://hooks.stripe.com/3d_secure_2"} 1\n'),
  );
  metrics.listen(0, '127.0.0.1');
  await once(metrics, 'listening');
  const { port: opsPort } = metrics.address() as AddressInfo;
  const leaks = await findLeaks({ name: 'it', log, opsPort });
  expect(leaks).to.have.length(3);
  expect(leaks.join('\n'))
    .to.match(/pi_1_secret_2/)
    .and.match(/log of it/)
    .and.match(/metrics of it/);
  metrics.close();
  await rm(folder, { recursive: true });
});
