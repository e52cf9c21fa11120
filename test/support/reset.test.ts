import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { expect } from 'chai';
import { portOf } from '../bootstrap/support/ports.ts';
import { reset } from './reset.ts';

describe('A connection that is broken off', () => {
  const server = createServer({ allowHalfOpen: true });
  let far: Socket;
  let near: Socket;
  before(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  beforeEach(async () => {
    const taken = once(server, 'connection');
    near = connect(portOf(server), '127.0.0.1');
    [far] = await taken;
    await once(near, 'connect');
    far.resume();
  });
  afterEach(() => far.destroy());
  after(() => server.close());

  it('is reset, and the other side told so', async () => {
    reset(near);
    const [error] = await once(far, 'error');
    expect(error.code).to.equal('ECONNRESET');
  });

  it('is closed all the same where it was being ended in that turn', async () => {
    near.end();
    reset(near);
    await once(near, 'close');
  });
});
