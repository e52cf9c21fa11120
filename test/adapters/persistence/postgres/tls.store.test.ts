import { once } from 'node:events';
import { createServer } from 'node:net';
import { TLSSocket } from 'node:tls';
import { expect } from 'chai';
import { openPostgres } from '#adapters/persistence/postgres/open.ts';
import { leave, portOf } from '#test/bootstrap/support/ports.ts';
import { rejectionOf } from '#test/contracts/harness.ts';
import { certificate } from '#test/http/support/certificate.ts';
import { freshDatabase } from '#test/support/postgres.ts';
import { unavailable } from '../transactions.ts';

describe('PostgreSQL over TLS', () => {
  it('is unavailable when it has no TLS and the URL requires it', async () => {
    const database = await freshDatabase();
    const rejection = await rejectionOf(openPostgres({ url: `${database.url}?sslmode=verify-full` }));
    await database.drop();
    unavailable(rejection);
    expect(rejection).to.have.nested.property('cause.message', 'The server does not support SSL connections');
  });

  it('is unavailable when the URL names no certificate authority to trust, and the error says so', async () => {
    const url = 'postgres://ada:word@127.0.0.1:1/shop?uselibpqcompat=true&sslmode=verify-ca';
    const rejection = await rejectionOf(openPostgres({ url }));
    unavailable(rejection);
    expect(rejection).to.have.nested.property('cause.message').that.includes('sslrootcert');
  });

  for (const [what, more, code] of [
    ['is not trusted', '', 'DEPTH_ZERO_SELF_SIGNED_CERT'],
    ['names another host', `&sslrootcert=${certificate.certFile}`, 'ERR_TLS_CERT_ALTNAME_INVALID'],
  ] as const) {
    it(`is unavailable when its certificate ${what}`, async () => {
      const server = createServer((socket) => {
        socket.once('data', () => {
          socket.write('S');
          const { cert, key } = certificate;
          new TLSSocket(socket, { isServer: true, cert, key }).on('error', () => undefined);
        });
      }).listen(0, '127.0.0.1');
      await once(server, 'listening');
      const url = `postgres://ada:word@localhost:${portOf(server)}/shop?sslmode=verify-full${more}`;
      const rejection = await rejectionOf(openPostgres({ url }));
      await leave(server);
      unavailable(rejection);
      expect(rejection).to.have.nested.property('cause.code', code);
    });
  }
});
