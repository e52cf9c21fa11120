import { once } from 'node:events';
import { connect as connectByHttp2 } from 'node:http2';
import { connect } from 'node:net';
import { connect as connectSecurely } from 'node:tls';
import { expect } from 'chai';
import { certificate, tls } from '../support/certificate.ts';
import { expectCommonHeaders, expectProblem } from '../support/protocol.ts';
import { describeServiceOnMemory } from '../support/service.ts';
import { credential, jsonText, requestText, Wire } from '../support/wire.ts';

describeServiceOnMemory('TLS', tls, (service) => {
  const open = () => Wire.open(service.url, certificate.cert);

  it('is served by Portico itself', async () => {
    expect(service.url).to.match(/^https:\/\/127\.0\.0\.1:\d+$/);
    const wire = await open();
    const body = '{"name":"Tea","price":{"amount":1,"currency":"EUR"}}';
    const created = await wire
      .write(jsonText('POST /v1/products', [credential(service.operator)], body))
      .answer();
    expect(created.status).to.equal(201);
    expectCommonHeaders(created);
    const list = await wire.write(requestText('GET /v1/products', [credential(service.operator)])).answer();
    expect(list.body.data).to.have.lengthOf(1);
    wire.destroy();
  });

  it('gives the same responses to parser errors', async () => {
    const wire = await open();
    expectProblem(await wire.write('nonsense\r\n\r\n').answer(), '400 BAD_REQUEST');
    await wire.closed();
  });

  it('closes plain HTTP connections on its port, without effect on others', async () => {
    const { hostname, port } = new URL(service.url);
    for (const bytes of [requestText('GET /v1/products'), 'nonsense\r\n\r\n', '\0\0\0\0']) {
      const socket = connect(Number(port), hostname).on('error', () => undefined);
      const received: Buffer[] = [];
      socket.on('data', (data: Buffer) => received.push(data));
      socket.end(bytes);
      await once(socket, 'close');
      expect(Buffer.concat(received).toString('latin1')).not.to.include('HTTP/1.1 2');
    }
    const wire = await open();
    const answer = await wire.write(requestText('GET /v1/products', [credential(service.operator)])).answer();
    expect(answer.status).to.equal(200);
    wire.destroy();
  });

  /** @param offered the protocols that a client offers by ALPN; undefined for a client that knows no ALPN */
  const handshake = async (offered?: readonly string[]): Promise<string | false | null> => {
    const { hostname: host, port } = new URL(service.url);
    const protocols = offered && { ALPNProtocols: [...offered] };
    const socket = connectSecurely({ host, port: Number(port), ca: certificate.cert, ...protocols });
    await once(socket, 'secureConnect').finally(() => socket.destroy());
    return socket.alpnProtocol;
  };

  it('speaks HTTP/1.1 with a client that offers HTTP/2, too (ALPN)', async () => {
    expect(await handshake(['h2', 'http/1.1'])).to.equal('http/1.1');
    expect(await handshake(['http/1.1'])).to.equal('http/1.1');
    expect(await handshake()).to.equal(false);
  });

  it('ends the handshake of a client that offers HTTP/2 alone (ALPN)', async () => {
    const noProtocol = 'ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL';
    expect(await handshake(['h2']).catch((error) => error.code)).to.equal(noProtocol);
    const session = connectByHttp2(service.url, { ca: certificate.cert, ALPNProtocols: ['h2'] });
    const [error] = await once(session, 'error');
    expect(error.code).to.equal(noProtocol);
    expect(await handshake(['h2', 'http/1.1'])).to.equal('http/1.1');
  });

  it('rejects old versions', async () => {
    const refused = await Wire.open(service.url, certificate.cert, { maxVersion: 'TLSv1.1' }).then(
      () => false,
      () => true,
    );
    expect(refused).to.equal(true);
  });
});

describeServiceOnMemory('Behind a proxy', { TRUST_PROXY: '1' }, (service) => {
  for (const protocol of ['https', 'HTTPS', ' https ', 'https, https']) {
    it(`a request with X-Forwarded-Proto of HTTPS is served (“${protocol}”)`, async () => {
      const answer = await service.operator.get('/v1/products', { 'X-Forwarded-Proto': protocol });
      expect(answer.status).to.equal(200);
    });
  }

  for (const protocol of [
    'http',
    'https, http',
    'http, https',
    '',
    ',',
    'https,',
    'httpsx',
    'wss',
    '"https"',
  ]) {
    it(`a request with another X-Forwarded-Proto is rejected, whatever its credential (“${protocol}”)`, async () => {
      const headers = { 'X-Forwarded-Proto': protocol };
      expectProblem(await service.operator.get('/v1/products', headers), '403 HTTPS_REQUIRED');
      expectProblem(await service.stranger.get('/v1/products', headers), '403 HTTPS_REQUIRED');
      expectProblem(await service.stranger.send('OPTIONS', '/', undefined, headers), '403 HTTPS_REQUIRED');
    });
  }

  it('a request without X-Forwarded-Proto is rejected', async () => {
    expectProblem(await service.operator.get('/v1/products'), '403 HTTPS_REQUIRED');
    const forwarded = { Forwarded: 'proto=https', 'X-Forwarded-Ssl': 'on' };
    expectProblem(await service.operator.get('/v1/products', forwarded), '403 HTTPS_REQUIRED');
  });

  it('two X-Forwarded-Proto headers must both be https', async () => {
    const wire = await Wire.open(service.url);
    for (const [second, status] of [
      ['https', 200],
      ['http', 403],
    ] as const) {
      const headers = ['X-Forwarded-Proto: https', `X-Forwarded-Proto: ${second}`];
      wire.write(requestText('GET /v1/products', [credential(service.operator), ...headers]));
      expect((await wire.answer()).status).to.equal(status);
    }
    wire.destroy();
  });
});

describeServiceOnMemory('Without a proxy', {}, (service) => {
  it('X-Forwarded-Proto is ignored', async () => {
    const answer = await service.operator.get('/v1/products', { 'X-Forwarded-Proto': 'http' });
    expect(answer.status).to.equal(200);
  });
});
