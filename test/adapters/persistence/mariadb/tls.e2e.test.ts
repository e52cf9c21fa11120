import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { inspectMariaDb } from '#adapters/persistence/mariadb/inspect.ts';
import { openMariaDb } from '#adapters/persistence/mariadb/open.ts';
import { closeOrm, mariadbOrm } from '#adapters/persistence/mariadb/orm.ts';
import { runHere } from '#test/bootstrap/support/portico.ts';
import { rejectionOf } from '#test/contracts/harness.ts';
import { aProduct } from '#test/contracts/samples.ts';
import { certificate } from '#test/http/support/certificate.ts';
import { describeMariaDb } from '#test/support/mariadb.ts';
import { MariaDbServer, runStatement } from '#test/support/mariadb-server.ts';
import { unavailable } from '../transactions.ts';

const trusting = (certFile: string): string => `?ssl=true&sslrootcert=${encodeURIComponent(certFile)}`;

describeMariaDb('MariaDB over TLS', () => {
  let server: MariaDbServer;

  /** Restarts the server with another certificate, which its user may read. */
  const present = async (certFile: string, keyFile: string): Promise<void> => {
    await server.stop();
    await copyFile(certFile, join(server.folder, 'cert.pem'));
    await copyFile(keyFile, join(server.folder, 'key.pem'));
    await server.start(['cert', 'key'].map((name) => `--ssl-${name}=${join(server.folder, `${name}.pem`)}`));
  };
  /** A user whose connections must be encrypted. */
  const url = (parameters = '', user = 'guarded') =>
    `mariadb://${user}@localhost:${server.port}/mysql${parameters}`;

  before(async () => {
    server = await MariaDbServer.make();
    await present(certificate.namedCertFile, certificate.namedKeyFile);
    await runStatement(server.url, "create user guarded@'127.0.0.1' require ssl");
    await runStatement(server.url, "grant all on *.* to guarded@'127.0.0.1'");
  });
  after(() => server.remove());

  it('encrypts every connection', async () => {
    unavailable(await rejectionOf(openMariaDb({ url: url() })));
    const encrypted = url(trusting(certificate.namedCertFile));
    const store = await openMariaDb({ url: encrypted });
    const product = aProduct();
    await store.unitOfWork.run(({ products }) => products.add(product));
    expect(await store.unitOfWork.read(({ products }) => products.find(product.id))).to.deep.equal(product);
    await store.close();
    expect(await inspectMariaDb({ url: encrypted })).to.deep.include({ exists: true, pending: [] });
    expect(await cipherOf(encrypted)).to.match(/^TLS_|^ECDHE-/);
    expect(await cipherOf(url('', 'portico'))).to.equal('');
  });

  it('is refused with one line when its certificate is not trusted', async () => {
    await expectRefused(url('?ssl=true'), /self-signed certificate/);
    await expectRefused(url(trusting(certificate.anotherCertFile)), /self-signed certificate/);
  });

  it('is refused with one line when its certificate names another host', async () => {
    await present(certificate.certFile, certificate.keyFile);
    await expectRefused(
      url(trusting(certificate.certFile)),
      /Hostname\/IP does not match certificate's altnames: Host: localhost\. is not/,
    );
  });

  it('is refused with one line when its server has no TLS', async () => {
    await server.stop();
    await server.start(['--skip-ssl']);
    await expectRefused(url('?ssl=true', 'portico'), /Server does not support secure connection/);
  });
});

/** The cipher of a connection as the store opens it, by the server's account. */
const cipherOf = async (url: string): Promise<unknown> => {
  const orm = mariadbOrm({ url, poolSize: 1, timeout: 5_000 });
  const pool = await orm.em.getConnection().getNativeClient();
  try {
    return await new Promise((resolve, reject) => {
      pool.query("show session status like 'Ssl_cipher'", (error, rows) =>
        error === null ? resolve((rows as [{ Value: string }])[0].Value) : reject(error),
      );
    });
  } finally {
    await closeOrm(orm, pool);
  }
};

const expectRefused = async (url: string, reason: RegExp): Promise<void> => {
  unavailable(await rejectionOf(openMariaDb({ url })));
  unavailable(await rejectionOf(inspectMariaDb({ url })));
  const { code, errors } = await runHere(['migrate', 'up'], { DATABASE_URL: url });
  expect(errors)
    .to.match(/^portico: DATABASE_URL names a database that cannot be used: [^\n]+\n$/)
    .and.match(reason);
  expect(code).to.equal(1);
};
