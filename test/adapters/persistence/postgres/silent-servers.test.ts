import { EventEmitter, once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { expect } from 'chai';
import type { Pool } from 'pg';
import { connectTo } from '#adapters/persistence/postgres/connection/connect-to.ts';
import { closeDeadConnections } from '#adapters/persistence/postgres/connection/dead-connection-watchdog.ts';
import { connectReplica } from '#adapters/persistence/postgres/replicas/replica.ts';
import { portOf } from '#test/bootstrap/support/ports.ts';
import { SimulatedTime } from '#test/support/simulated-time.ts';
import { unavailable } from '../transactions.ts';

describe('A PostgreSQL server that accepts connections and says nothing', () => {
  let server: Server;
  let url: string;
  let time: SimulatedTime;
  const sockets: Socket[] = [];
  before(async () => {
    server = createServer((socket) => sockets.push(socket.resume().on('error', () => undefined)));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `postgres://portico@127.0.0.1:${portOf(server)}/nothing`;
  });
  after(() => server.close());
  beforeEach(() => {
    time = new SimulatedTime();
  });
  afterEach(() => {
    time.end();
    for (const socket of sockets.splice(0)) socket.destroy();
  });

  /** The simulated milliseconds after which it ends, and how, at the earliest and the latest that is checked. */
  const endsBetween = async <T>(from: number, to: number, promise: Promise<T>): Promise<T> => {
    let hasEnded = false;
    const end = () => {
      hasEnded = true;
    };
    promise.then(end, end);
    await time.pass(from, 5);
    expect(hasEnded, `before ${from} ms`).to.equal(false);
    await time.pass(to - from, 5);
    expect(hasEnded, `after ${to} ms`).to.equal(true);
    return promise;
  };

  const rejectsBetween = async (from: number, to: number, promise: Promise<unknown>): Promise<void> =>
    unavailable(
      await endsBetween(
        from,
        to,
        promise.catch((error: unknown) => error),
      ),
    );

  it('lets a request wait two seconds for a connection, or less where the timeout or the deadline is less', async () => {
    const connections = connectTo(url, 1, 5_000);
    await rejectsBetween(1_990, 2_010, connections.acquire(Number.POSITIVE_INFINITY));
    await rejectsBetween(490, 510, connections.acquire(performance.now() + 500));
    const hasty = connectTo(url, 1, 1_000);
    await rejectsBetween(990, 1_010, hasty.acquire(Number.POSITIVE_INFINITY));
    for (const each of [connections, hasty]) {
      const closing = each.close();
      await time.pass(2_010, 5);
      await closing;
    }
  });

  it('serves no reads as a replica, which costs a read a second at most, and half of its deadline', async () => {
    const replica = connectReplica(url, 1, 5_000);
    await endsBetween(990, 1_010, replica.poll());
    expect(replica.mayHaveReached(-1)).to.equal(false);
    const read = (deadline: number) =>
      replica.read((reads) => reads.query({ name: 'one', text: 'select 1' }, []), deadline);
    await rejectsBetween(990, 1_010, read(Number.POSITIVE_INFINITY));
    await rejectsBetween(390, 410, read(performance.now() + 800));
    const closing = replica.close();
    await time.pass(2_010, 5);
    await closing;
  });
});

describe('A connection to PostgreSQL', () => {
  let time: SimulatedTime;
  let pool: EventEmitter;
  let stop: () => void;
  beforeEach(() => {
    time = new SimulatedTime();
    pool = new EventEmitter();
    stop = closeDeadConnections(pool as unknown as Pool, 5_250);
  });
  afterEach(() => {
    stop();
    time.end();
  });

  const connect = (readyForQuery: boolean) => {
    const errors: string[] = [];
    const stream = {
      bytesRead: 0,
      bytesWritten: 0,
      destroy: ({ message }: Error) => errors.push(message),
    };
    pool.emit('connect', { readyForQuery, connection: { stream } });
    return { stream, errors };
  };

  it('is closed once its server has owed a response for the whole timeout, and sent nothing', async () => {
    const { errors } = connect(false);
    await time.pass(5_249, 1);
    expect(errors).to.deep.equal([]);
    await time.pass(1, 1);
    expect(errors).to.deep.equal(['Query read timeout']);
  });

  it('is not closed while it is idle, or while bytes go over it', async () => {
    const [idle, busy] = [connect(true), connect(false)];
    for (let round = 0; round < 4; round += 1) {
      await time.pass(5_000, 50);
      busy.stream.bytesRead += 1;
    }
    expect([idle.errors, busy.errors]).to.deep.equal([[], []]);
  });
});
