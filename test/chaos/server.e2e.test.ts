import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { Server } from './server.ts';

describe('Chaos', () => {
  it('reports a server that ends by itself', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'portico-chaos-test-'));
    const exited = Promise.withResolvers<string>();
    const environment = { RATE_LIMIT_MAX: 'many' };
    const server = new Server({
      name: 'it',
      port: 1,
      opsPort: 2,
      eventsPort: 3,
      environment,
      folder,
      onUnexpectedExit: exited.resolve,
    });
    server.start();
    expect(await exited.promise).to.match(/^it ended with code 1, .* its log is /);
    await server.kill();
    await rm(folder, { recursive: true });
  });
});
