import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import { closeIdleUnlessUnread } from '#adapters/http/server/connections.ts';
import { portOf } from '../../bootstrap/support/ports.ts';
import { requestText, Wire } from '../support/wire.ts';

/** Node's own timers close it, which no simulated time reaches. */
describe('An idle keep-alive connection', () => {
  const keepAliveTimeoutMs = 200;
  const request = requestText('GET /');
  let server: Server;
  let wire: Wire;

  beforeEach(async () => {
    server = createServer(
      { keepAliveTimeout: keepAliveTimeoutMs, keepAliveTimeoutBuffer: 0 },
      (_, response) => response.end('here'),
    );
    closeIdleUnlessUnread(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    wire = await Wire.open(`http://127.0.0.1:${portOf(server)}`);
    await wire.write(request).answer();
  });
  afterEach(() => {
    wire.destroy();
    server.close();
  });

  /** Blocks the event loop. */
  const blockEventLoop = (milliseconds: number): void => {
    const until = performance.now() + milliseconds;
    while (performance.now() < until);
  };

  it('is closed after its keep-alive timeout', async () => {
    await wire.closed();
  });

  it('is not closed when a request has arrived in time but is still unread (keep-alive race)', async () => {
    await pause(keepAliveTimeoutMs / 2);
    // The next phase of the event loop runs timers, before the input is read.
    await turn();
    wire.write(request);
    blockEventLoop(2 * keepAliveTimeoutMs);
    expect((await wire.answer()).status).to.equal(200);
    await wire.closed();
  });
});
