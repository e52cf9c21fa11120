import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import { expect } from 'chai';
import type { AccessLogEntry } from '#adapters/http/request/access-log-entry.ts';
import { type Listener, listen } from '#adapters/http/server/server.ts';
import { endOfTurn } from '#adapters/support/time.ts';
import { turnsUntil } from '../../support/turns.ts';
import { certificate, tls } from '../support/certificate.ts';
import { describeServiceOnMemory } from '../support/service.ts';
import { credential, jsonText, requestText, Wire } from '../support/wire.ts';

for (const [over, settings] of Object.entries({ HTTP: {}, HTTPS: tls })) {
  describeServiceOnMemory(`Pipelined requests over ${over}`, settings, (service) => {
    const open = () => Wire.open(service.url, certificate.cert);
    const operator = () => credential(service.operator);
    const create = (name: string, headers: readonly string[] = []): string => {
      const body = JSON.stringify({ name, price: { amount: 1, currency: 'EUR' } });
      return jsonText('POST /v1/products', [operator(), ...headers], body);
    };
    const list = () => requestText('GET /v1/products?limit=100', [operator()]);

    it('see what the requests before them have done', async () => {
      const wire = await open();
      wire.write(create('Before') + list());
      expect((await wire.answer()).status).to.equal(201);
      expect((await wire.answer()).text).to.include('Before');
      wire.destroy();
    });

    const closing: Readonly<Record<string, readonly [number, () => string]>> = {
      'a duplicate Host': [400, () => requestText('GET /v1/products', [operator(), 'Host: other.test'])],
      'no Host': [400, () => `GET /v1/products HTTP/1.1\r\n${operator()}\r\n\r\n`],
      'an unknown expectation': [417, () => requestText('GET /v1/products', [operator(), 'Expect: x'])],
      'a body sent before 100 Continue, and no credential': [
        401,
        () => jsonText('POST /v1/products', ['Expect: 100-continue'], '{}'),
      ],
      'an upgrade': [
        200,
        () => requestText('GET /v1/products', [operator(), 'Connection: Upgrade', 'Upgrade: h2c']),
      ],
    };

    for (const [what, [status, bytes]] of Object.entries(closing)) {
      it(`are not carried out behind one whose response closes the connection (${what})`, async () => {
        for (const expectation of [[], ['Expect: 100-continue']]) {
          for (const separated of [false, true]) {
            const wire = await open();
            wire.write(create('In front') + bytes());
            if (separated) await endOfTurn();
            wire.write(list() + create('Behind', expectation) + create('Far behind'));
            expect((await wire.answer()).status).to.equal(201);
            const response = await wire.answer();
            expect([response.status, response.headers.get('Connection')]).to.deep.equal([status, 'close']);
            await wire.closed();
          }
        }
        const wire = await open();
        expect((await wire.write(list()).answer()).text.toLowerCase()).not.to.include('behind');
        wire.destroy();
      });
    }
  });
}

describe('A request that is pipelined behind a slow one', () => {
  const limits = { maxInFlight: 4, storeDelay: () => 0 };
  const rejected: AccessLogEntry[] = [];
  const handled: (string | undefined)[] = [];
  let release: () => void = () => undefined;
  const handle: RequestListener = ({ url }, response) => {
    handled.push(url);
    const respond = (): unknown => response.setHeader('Content-Length', 0).end();
    if (url === '/slow') release = respond;
    else respond();
  };
  let listener: Listener;
  before(async () => {
    const onRejected = (entry: AccessLogEntry): unknown => rejected.push(entry);
    listener = await listen(handle, { host: '127.0.0.1', port: 0, headers: {}, limits, onRejected });
  });
  after(() => listener.close());

  const [slow, next] = [requestText('GET /slow'), requestText('GET /next')];
  const statusOfNext = async (): Promise<number> => {
    const wire = await Wire.open(listener.url);
    const { status } = await wire.write(next).answer();
    wire.destroy();
    return status;
  };

  for (const [what, behind, abandoned] of [
    ['', '', 2],
    [', although CONNECT follows', requestText('CONNECT a.test:1'), 3],
  ] as const) {
    it(`is not carried out after its client has disconnected${what}, and holds no place`, async () => {
      rejected.length = 0;
      for (let time = 0; time < 2; time += 1) {
        handled.length = 0;
        const wire = await Wire.open(listener.url);
        wire.write(slow + next + next + behind);
        await turnsUntil(() => handled[0] === '/slow');
        wire.reset();
        await turnsUntil(() => rejected.length >= abandoned * (time + 1));
        expect(handled).to.deep.equal(['/slow']);
      }
      expect(await statusOfNext()).to.equal(200);
    });
  }

  it('holds no place while it is behind', async () => {
    const wire = await Wire.open(listener.url);
    wire.write(slow);
    for (let time = 0; time < 10; time += 1) {
      wire.write(next);
      await endOfTurn();
    }
    expect(await statusOfNext()).to.equal(200);
    release();
    for (let time = 0; time < 11; time += 1) expect((await wire.answer()).status).to.equal(200);
    wire.destroy();
  });
});

describe('Many requests behind a slow one', () => {
  let respond: () => void;
  let connection: Socket | undefined;
  const handle: RequestListener = ({ url, socket }, response) => {
    connection = socket;
    respond = () => {
      if (!response.headersSent) response.setHeader('Content-Length', 0).end();
    };
    if (url !== '/slow') respond();
  };
  let listener: Listener;
  let wire: Wire;
  beforeEach(async () => {
    listener = await listen(handle, { host: '127.0.0.1', port: 0, headers: {} });
    wire = await Wire.open(listener.url);
    connection = undefined;
    wire.write(requestText('GET /slow'));
  });
  afterEach(async () => {
    respond();
    wire.destroy();
    await listener.close();
  });

  const untilNoMoreIsRead = async (): Promise<void> => {
    await turnsUntil(() => connection !== undefined);
    for (let read = 0; read !== connection?.bytesRead; ) {
      read = connection?.bytesRead ?? 0;
      for (let turn = 0; turn < 500; turn += 1) await endOfTurn();
    }
  };

  it('are not read without end', async () => {
    wire.write(requestText('GET /next').repeat(100_000));
    await untilNoMoreIsRead();
    expect(connection?.bytesRead).to.be.below(500_000);
  });

  it('are all answered when it is', async () => {
    const count = 5_000;
    wire.write(requestText('GET /next').repeat(count));
    await untilNoMoreIsRead();
    respond();
    for (let answered = 0; answered <= count; answered += 1)
      expect((await wire.answer()).status).to.equal(200);
  });
});
