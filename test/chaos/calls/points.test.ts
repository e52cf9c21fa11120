import { expect } from 'chai';
import { errorPoints, injectionOf, killPoints, type Point, spread, spreadOverPlaces } from './points.ts';
import { parseCalls, wasKilled } from './trace.ts';

/** A payment on SQLite, as strace shows it: two commits around the request to the provider, then the response. */
const text = [
  'write(2</tmp/chaos/server-1.log>, "{\\"level\\":30}", 12) = 12',
  'pwrite64(22</tmp/chaos/portico.db-wal>, "page (1), one", 24, 803432) = 24',
  'pwrite64(22</tmp/chaos/portico.db-wal>, "page", 4096, 803456) = 4096',
  'pwrite64(22</tmp/chaos/portico.db-wal>, "page", 4096, 807552) = 4096',
  'fsync(22</tmp/chaos/portico.db-wal>)    = 0',
  'writev(30<TCP:[127.0.0.1:37180->127.0.0.1:4444]>, [{iov_base="POST /v1/payment_intents", iov_len=876}], 1) = 876',
  'pwrite64(22</tmp/chaos/portico.db-wal>, "page", 4096, 811648) = 4096',
  'fsync(22</tmp/chaos/portico.db-wal>)    = 0',
  'write(29<TCPv6:[[::ffff:127.0.0.1]:8080->[::ffff:127.0.0.1]:56742]>, "HTTP/1.1 201", 1281) = 1281',
  '',
].join('\n');

const ports = { client: 8080, webhook: 8081, provider: 4444, database: undefined };

const described = (points: readonly Point[]) => points.map((point) => `${point.place} ${injectionOf(point)}`);

describe('The system calls at which chaos kills a server', () => {
  const calls = parseCalls(text);

  it('are counted by name', () => {
    expect(calls.map(({ name, ordinal }) => `${name} ${ordinal}`)).to.deep.equal([
      ...['write 1', 'pwrite64 1', 'pwrite64 2', 'pwrite64 3', 'fsync 1', 'writev 1'],
      ...['pwrite64 4', 'fsync 2', 'write 2'],
    ]);
  });

  it('are those that leave the process, and of a commit the last write and its sync', () => {
    expect(described(killPoints(calls, ports))).to.deep.equal([
      'database pwrite64:signal=SIGKILL:when=3',
      'database fsync:signal=SIGKILL:when=1',
      'provider writev:signal=SIGKILL:when=1',
      'database pwrite64:signal=SIGKILL:when=4',
      'database fsync:signal=SIGKILL:when=2',
      'client write:signal=SIGKILL:when=2',
    ]);
  });

  it('fail as full and broken disks do', () => {
    expect(described(errorPoints(calls, ports))).to.deep.equal([
      'database pwrite64:error=ENOSPC:when=1',
      'database fsync:error=EIO:when=1',
      'database pwrite64:error=ENOSPC:when=4',
      'database fsync:error=EIO:when=2',
    ]);
  });

  it('belong to a database that is reached by a connection, too', () => {
    const query = 'write(24<TCP:[127.0.0.1:55790->127.0.0.1:5432]>, "Q", 8) = 8\n';
    const points = (database: number) => described(killPoints(parseCalls(query), { ...ports, database }));
    expect(points(5432)).to.deep.equal(['database write:signal=SIGKILL:when=1']);
    expect(points(5433)).to.deep.equal([]);
  });

  it('show whether they were reached', () => {
    const failed = 'fsync(22</tmp/chaos/portico.db-wal>) = -1 EIO (Input/output error) (INJECTED)\n';
    expect(parseCalls(failed).map(({ isInjected }) => isInjected)).to.deep.equal([true]);
    expect(calls.some(({ isInjected }) => isInjected)).to.equal(false);
    expect(
      wasKilled(`${text}fsync(22</tmp/chaos/portico.db-wal>) = ?\n+++ killed by SIGKILL +++\n`),
    ).to.equal(true);
    expect(wasKilled(text)).to.equal(false);
  });

  it('are of each place when there are more than are wanted', () => {
    const places = (most: number) =>
      spreadOverPlaces(killPoints(calls, ports), most).map(({ place }) => place);
    expect(places(3)).to.deep.equal(['database', 'provider', 'client']);
    expect(places(4)).to.deep.equal(['database', 'provider', 'database', 'client']);
    expect(places(9)).to.have.length(6);
  });

  it('are spread when there are more than are wanted', () => {
    expect(spread([1, 2, 3, 4, 5, 6], 3)).to.deep.equal([1, 3, 5]);
    expect(spread([1, 2], 3)).to.deep.equal([1, 2]);
  });
});
