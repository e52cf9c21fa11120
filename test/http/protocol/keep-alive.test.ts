import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import { closeIdleUnlessUnread } from '#adapters/http/server/http1-connections.ts';
import { portOf } from '../../bootstrap/support/ports.ts';
import { requestText, Wire } from '../support/wire.ts';

describe('A connection on which nothing comes', () => {
  /** How long one is kept, in milliseconds. */
  const kept = 200;
  const request = requestText('GET /');
  let server: Server;
  let wire: Wire;

  beforeEach(async () => {
    server = createServer({ keepAliveTimeout: kept, keepAliveTimeoutBuffer: 0 }, (_, response) =>
      response.end('here'),
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

  /** Nothing else moves in this process meanwhile. */
  const holdUp = (milliseconds: number): void => {
    const until = performance.now() + milliseconds;
    while (performance.now() < until);
  };

  it('is closed after a while', async () => {
    const begun = performance.now();
    await wire.closed();
    expect(performance.now() - begun).to.be.within(kept - 50, 10 * kept);
  });

  it('is not closed when something has come in time, though nobody could read it', async () => {
    await pause(kept / 2);
    // What comes next then are timers.
    await turn();
    wire.write(request);
    holdUp(2 * kept);
    expect((await wire.answer()).status).to.equal(200);
    await wire.closed();
  });
});
