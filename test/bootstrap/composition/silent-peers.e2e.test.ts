import { once } from 'node:events';
import { constants } from 'node:http2';
import { createServer } from 'node:net';
import { expect } from 'chai';
import { listen, type Receiver, startReceiver } from '../../adapters/webhooks/receiver.ts';
import { certificate } from '../../http/support/certificate.ts';
import type { ApiResponse, Json } from '../../http/support/client.ts';
import { expectOne } from '../../http/support/expectations.ts';
import { IdentityProvider } from '../../http/support/identity-provider.ts';
import { expectProblem } from '../../http/support/protocol.ts';
import { Session } from '../../http/support/session.ts';
import { requestText, Wire } from '../../http/support/wire.ts';
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
  const sessions: Session[] = [];
  let url: string;

  const openSession = async (settings = {}): Promise<Session> => {
    const session = await Session.open(url, certificate.cert, operatorKey, settings);
    sessions.push(session);
    return session;
  };
  const openWire = (): Promise<Wire> => Wire.open(url, certificate.cert);

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
    for (const session of sessions) session.close();
    await Promise.all(programs.map((program) => program.kill()));
    await Promise.all([provider.stop(), mute?.close(), unresponsive?.close()]);
  });

  beside('rejects headers that do not end with 408, and serves others meanwhile', async () => {
    const wire = await openWire();
    const answer = wire.write(requestText('GET /v1/products').slice(0, -2)).answer();
    expect((await (await openSession()).ask('GET', '/v1/products')).status).to.equal(200);
    expectProblem(await answer, '408 BAD_REQUEST');
    await wire.closed();
  });

  beside('closes an HTTP/2 session on which no request arrives', async () => {
    const session = await openSession();
    await session.goaway;
    await session.closed;
  });

  beside('cancels a response that its client does not read (slow reader)', async () => {
    const session = await openSession({ initialWindowSize: 0 });
    const stream = session.begin('GET', '/v1/products');
    await once(stream, 'response');
    await once(stream, 'close');
    expect(stream.rstCode).to.equal(constants.NGHTTP2_CANCEL);
  });

  beside('destroys a connection whose client goes on sending behind an error', async () => {
    const wire = await openWire();
    expectProblem(await wire.write('nonsense\r\n\r\n').answer(), '400 BAD_REQUEST');
    const sending = setInterval(() => wire.write('and so on\r\n'), 20);
    await wire.gone().finally(() => clearInterval(sending));
  });

  beside('sends a webhook again whose receiver completes no connection, or sends no response', async () => {
    const session = await openSession();
    /** @returns what reads the delivery of an example */
    const deliver = async (to: string): Promise<() => Promise<Json>> => {
      const endpoint = { url: to, event_types: ['order.paid'] };
      const made = expectOne(await session.ask('POST', '/v1/webhook-endpoints', endpoint), 201);
      const example = { endpoint_id: made.id, event_type: 'order.paid' };
      const { id } = expectOne(await session.ask('POST', '/v1/webhook-deliveries', example), 201);
      return async () => expectOne(await session.ask('GET', `/v1/webhook-deliveries/${id}`));
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
      const session = await openSession();
      /** A token of a new user, because credentials are cached. */
      const newToken = async (): Promise<string> => {
        const user = { email: `${crypto.randomUUID()}@example.com`, name: 'Ada', role: 'customer' };
        const { id } = expectOne(await session.ask('POST', '/v1/users', user), 201);
        return provider.token({ sub: id });
      };
      const ask = (token: string): Promise<ApiResponse> =>
        session.ask('GET', '/v1/products', undefined, { authorization: `Bearer ${token}` });
      const becomesValid = (token: string): Promise<ApiResponse> =>
        until(
          () => ask(token),
          ({ status }) => status === 200,
          waitMs,
        );
      const [early, withdrawn] = [await newToken(), await newToken()];
      expectProblem(await ask(early), '503 SERVICE_UNAVAILABLE');
      provider.isSilent = false;
      await becomesValid(early);
      await provider.rotate();
      await becomesValid(await newToken());
      expectProblem(await ask(withdrawn), '401 UNAUTHORIZED');
      await provider.stop();
      expect((await ask(await newToken())).status).to.equal(200);
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
