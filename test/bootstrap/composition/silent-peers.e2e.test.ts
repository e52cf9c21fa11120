import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { connect as connectSecurely } from 'node:tls';
import { expect } from 'chai';
import { listen, type Receiver, startReceiver } from '../../adapters/webhooks/receiver.ts';
import { certificate } from '../../http/support/certificate.ts';
import type { ApiResponse, Json } from '../../http/support/client.ts';
import { expectOne } from '../../http/support/expectations.ts';
import { IdentityProvider } from '../../http/support/identity-provider.ts';
import { expectProblem } from '../../http/support/protocol.ts';
import { credential, jsonText, requestText, Wire } from '../../http/support/wire.ts';
import type { Program } from '../../lab/program.ts';
import { until } from '../../support/until.ts';
import { ending, portico } from '../support/portico.ts';
import { startServer } from '../support/server.ts';
import { operatorKey } from '../support/server-settings.ts';

/** Longer than any of these waits. */
const waitMs = 60_000;

/** Unit tests in simulated time test how long each wait is. */
describe('A whole program with a peer that is silent', function () {
  this.timeout(2 * waitMs);
  const provider = new IdentityProvider();
  /** Accepts connections, and sends nothing. */
  let mute: Receiver;
  /** Reads requests, and sends no response. */
  let unresponsive: Receiver;
  const programs: Program[] = [];
  let url: string;

  const openWire = (): Promise<Wire> => Wire.open(url, certificate.cert);
  const ask = async (line: string, body?: unknown, token = operatorKey): Promise<ApiResponse> => {
    const wire = await openWire();
    const headers = [credential({ token })];
    wire.write(
      body === undefined ? requestText(line, headers) : jsonText(line, headers, JSON.stringify(body)),
    );
    return wire.answer().finally(() => wire.destroy());
  };

  const ends = new Map<() => Promise<void>, Promise<void> | undefined>();
  /** Declares a test that runs beside the others, because all do little but wait. */
  const beside = (title: string, body: () => Promise<void>): void => {
    ends.set(body, undefined);
    it(title, () => ends.get(body));
  };

  before(async () => {
    provider.isSilent = true;
    await provider.start();
    mute = await listen(createServer((socket) => socket.resume()));
    unresponsive = await startReceiver(() => undefined);
    const { program, client } = await startServer({
      ...{ DATABASE_URL: 'memory:', WEBHOOK_ALLOW: '127.0.0.1:*' },
      ...{ TLS_CERT_FILE: certificate.certFile, TLS_KEY_FILE: certificate.keyFile },
      ...{ JWT_ISSUER: provider.issuer, JWT_AUDIENCE: provider.audience, JWT_JWKS_URL: provider.keysUrl },
    });
    programs.push(program);
    url = client.base;
    for (const body of ends.keys()) {
      const end = body();
      end.catch(() => undefined);
      ends.set(body, end);
    }
  });
  after(async () => {
    await Promise.all(programs.map((program) => program.kill()));
    await Promise.all([provider.stop(), mute?.close(), unresponsive?.close()]);
  });

  beside('rejects headers that do not end with 408, and serves others meanwhile', async () => {
    const wire = await openWire();
    const answer = wire.write(requestText('GET /v1/products').slice(0, -2)).answer();
    expect((await ask('GET /v1/products')).status).to.equal(200);
    expectProblem(await answer, '408 BAD_REQUEST');
    await wire.closed();
  });

  beside('closes a hundred connections on which no request arrives', async () => {
    const wires = await Promise.all(Array.from({ length: 100 }, openWire));
    const answers = await Promise.all(wires.map((wire) => wire.answer()));
    for (const answer of answers) expectProblem(answer, '408 BAD_REQUEST');
    await Promise.all(wires.map((wire) => wire.closed()));
  });

  beside('closes a hundred connections whose TLS handshake does not begin, or does not end', async () => {
    const { hostname, port } = new URL(url);
    // The header of a record of 512 bytes, which is the beginning of a handshake.
    const record = Buffer.from([22, 3, 1, 2, 0]);
    const sockets = Array.from({ length: 100 }, (_, place) => {
      const socket = connect(Number(port), hostname).on('error', () => undefined);
      if (place % 2) socket.write(record);
      return socket;
    });
    await Promise.all(sockets.map((socket) => once(socket.resume(), 'close')));
  });

  beside('resets the connection of a client that does not read its responses (slow reader)', async () => {
    const { hostname: host, port } = new URL(url);
    const socket = connectSecurely({ host, port: Number(port), ca: certificate.cert }).pause();
    const get = requestText('GET /v1/products');
    // More responses than a connection buffers.
    socket.on('error', () => undefined).write(get.repeat(100_000));
    // A connection on which nothing is read notices its end when it sends.
    const sending = setInterval(() => socket.write(get), 1_000);
    await new Promise((resolve) => socket.once('close', resolve));
    clearInterval(sending);
  });

  beside('destroys a connection whose client goes on sending behind an error', async () => {
    const wire = await openWire();
    expectProblem(await wire.write('nonsense\r\n\r\n').answer(), '400 BAD_REQUEST');
    const sending = setInterval(() => wire.write('and so on\r\n'), 20);
    await wire.gone().finally(() => clearInterval(sending));
  });

  beside('sends a webhook again whose receiver completes no connection, or sends no response', async () => {
    /** @returns what reads the delivery of an example */
    const deliver = async (to: string): Promise<() => Promise<Json>> => {
      const endpoint = { url: to, event_types: ['order.paid'] };
      const made = expectOne(await ask('POST /v1/webhook-endpoints', endpoint), 201);
      const example = { endpoint_id: made.id, event_type: 'order.paid' };
      const { id } = expectOne(await ask('POST /v1/webhook-deliveries', example), 201);
      return async () => expectOne(await ask(`GET /v1/webhook-deliveries/${id}`));
    };
    const unconnected = await deliver(`https://127.0.0.1:${mute.port}/`);
    const unanswered = await deliver(`http://127.0.0.1:${unresponsive.port}/`);
    const failed = [
      await until(unconnected, ({ attempt_count }) => attempt_count === 2, waitMs),
      await until(unanswered, ({ attempt_count }) => attempt_count > 0, waitMs),
    ];
    for (const { attempts } of failed)
      expect(attempts[0]).to.include({ error: 'timed_out', status_code: null });
    await until(
      async () => unresponsive.received.length,
      (count) => count === 2,
      waitMs,
    );
  });

  beside(
    'responds 503 to tokens until the keys of the identity provider arrive, loads rotated ones, and keeps them when it ends',
    async () => {
      /** A token of a new user, because credentials are cached. */
      const newToken = async (): Promise<string> => {
        const user = { email: `${crypto.randomUUID()}@example.com`, name: 'Ada', role: 'customer' };
        const { id } = expectOne(await ask('POST /v1/users', user), 201);
        return provider.token({ sub: id });
      };
      const askAs = (token: string): Promise<ApiResponse> => ask('GET /v1/products', undefined, token);
      const becomesValid = (token: string): Promise<ApiResponse> =>
        until(
          () => askAs(token),
          ({ status }) => status === 200,
          waitMs,
        );
      const [early, withdrawn] = [await newToken(), await newToken()];
      expectProblem(await askAs(early), '503 SERVICE_UNAVAILABLE');
      provider.isSilent = false;
      await becomesValid(early);
      await provider.rotate();
      await becomesValid(await newToken());
      expectProblem(await askAs(withdrawn), '401 UNAUTHORIZED');
      await provider.stop();
      expect((await askAs(await newToken())).status).to.equal(200);
    },
  );

  beside('is a doctor, which reports the port and the identity provider', async () => {
    const settings = {
      ...{ DATABASE_URL: 'memory:', PORT: `${mute.port}`, OPS_PORT: '0', JWT_ISSUER: provider.issuer },
      ...{ JWT_AUDIENCE: 'portico', JWT_JWKS_URL: `http://127.0.0.1:${mute.port}/keys` },
    };
    const program = portico(['doctor'], { settings });
    programs.push(program);
    const { code, output } = await ending(program);
    expect(output)
      .to.match(/^fail {2}port +\d+ on 127\.0\.0\.1 is in use by another program$/m)
      .and.match(/^fail {2}identity +the keys at 127\.0\.0\.1:\d+ cannot be fetched: .* due to timeout$/m);
    expect(code).to.equal(1);
  });
});
