import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import { endOfTurn } from '#adapters/support/time.ts';
import type { HttpWebhookSender } from '#adapters/webhooks/sender.ts';
import { certificate } from '../../http/support/certificate.ts';
import { turnsUntil } from '../../support/turns.ts';
import { exampleSecret, messageTo, type Receiver, startReceiver, testSender } from './receiver.ts';

/** Lets a connection become idle: its response ends behind the headers, with which an attempt ends. */
const aFewTurns = async (): Promise<void> => {
  for (let turn = 0; turn < 200; turn += 1) await endOfTurn();
};

const otherSecret = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;

describe('The sender of webhooks', () => {
  const ends: (() => unknown)[] = [];
  afterEach(async () => {
    await Promise.all(ends.splice(0).map((end) => end()));
  });

  const start = async (...options: Parameters<typeof startReceiver>): Promise<Receiver> => {
    const receiver = await startReceiver(...options);
    ends.push(receiver.close);
    return receiver;
  };
  const senderWith = (options: Parameters<typeof testSender>[0]): HttpWebhookSender => {
    const sender = testSender({ allow: '127.0.0.1:*', ...options });
    ends.push(sender.close);
    return sender;
  };

  it('posts the body as it is, with the headers of Standard Webhooks', async () => {
    const receiver = await start();
    const message = messageTo(`http://127.0.0.1:${receiver.port}/hooks/a%20b?shop=1`);
    const before = Date.now();
    const result = await senderWith({}).send(message);
    expect(result).to.include({ error: null, statusCode: 204, isGone: false });
    expect(result.durationMs).to.be.least(0);
    const [{ headers, body, path } = { headers: {}, body: '', path: '' }] = receiver.received;
    expect({ body, path }).to.deep.equal({ body: message.body, path: '/hooks/a%20b?shop=1' });
    expect(headers).to.include({
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(message.body)),
      'webhook-id': message.id,
      host: `127.0.0.1:${receiver.port}`,
    });
    expect(Number(headers['webhook-timestamp'])).to.be.within(Math.floor(before / 1_000), Date.now() / 1_000);
    expect(headers).not.to.have.any.keys('authorization', 'cookie', 'transfer-encoding');
  });

  /** The body as the receiver's library verifies it. */
  const verify = ({ received }: Receiver, secret: string): unknown => {
    const { body, headers } = received.at(-1) ?? { body: '', headers: {} };
    return new Webhook(secret).verify(body, headers as Record<string, string>);
  };

  it('signs so that the standardwebhooks package verifies, before, during and after a rotation', async () => {
    const receiver = await start();
    const sender = senderWith({});
    const url = `http://127.0.0.1:${receiver.port}/`;
    const [before, after] = [exampleSecret, otherSecret];
    for (const [secrets, verified, rejected] of [
      [[before], [before], [after]],
      [[after, before], [before, after], []],
      [[after], [after], [before]],
    ] as const) {
      await sender.send(messageTo(url, secrets));
      for (const secret of verified)
        expect(verify(receiver, secret)).to.have.nested.property('data.name', 'Zoë');
      for (const secret of rejected) expect(() => verify(receiver, secret)).to.throw('No matching signature');
    }
  });

  it('signs the time of its clock, which another body or id does not fit', async () => {
    const receiver = await start();
    const sender = senderWith({ now: () => Date.now() - 301_000 });
    await sender.send(messageTo(`http://127.0.0.1:${receiver.port}/`));
    expect(() => verify(receiver, exampleSecret)).to.throw('Message timestamp too old');
    const [first] = receiver.received;
    const timestamp = String(Math.floor(Date.now() / 1_000));
    receiver.received.push({
      ...first,
      headers: { ...first?.headers, 'webhook-timestamp': timestamp },
    } as never);
    expect(() => verify(receiver, exampleSecret)).to.throw('No matching signature');
  });

  it('counts every status but 2xx as a failure, and knows a receiver that has gone', async () => {
    const statuses = [200, 201, 299, 300, 304, 400, 401, 404, 410, 429, 500, 503, 599];
    let status = 0;
    const receiver = await start((_, response) => response.writeHead(status).end());
    const sender = senderWith({});
    for (status of statuses) {
      const result = await sender.send(messageTo(`http://127.0.0.1:${receiver.port}/`));
      const error = status < 300 ? null : 'status';
      expect(result, String(status)).to.include({ error, statusCode: status, isGone: status === 410 });
    }
  });

  it('follows no redirect', async () => {
    const target = await start();
    const location = `http://127.0.0.1:${target.port}/`;
    for (const status of [301, 302, 303, 307, 308]) {
      const receiver = await start((_, response) => response.writeHead(status, { location }).end());
      const result = await senderWith({}).send(messageTo(`http://127.0.0.1:${receiver.port}/`));
      expect(result).to.include({ error: 'status', statusCode: status });
    }
    expect(target.opened).to.have.length(0);
  });

  it('says how long the receiver asks to wait, by a failure only', async () => {
    let status = 503;
    const receiver = await start((_, response) => response.writeHead(status, { 'retry-after': '120' }).end());
    const send = () => senderWith({}).send(messageTo(`http://127.0.0.1:${receiver.port}/`));
    expect((await send()).retryAfterMs).to.equal(120_000);
    status = 200;
    expect((await send()).retryAfterMs).to.equal(undefined);
  });

  it('keeps one connection for messages that follow each other, whether the short body has a length or not', async () => {
    const bodies = ['none', 'short', 'chunked'] as const;
    let body: (typeof bodies)[number] = 'none';
    const receiver = await start((_, response) => {
      if (body === 'none') response.writeHead(204).end();
      else if (body === 'short') response.end('ok');
      else response.writeHead(200).end('ok');
    });
    const sender = senderWith({});
    for (let index = 0; index < 9; index += 1) {
      body = bodies[index % 3] ?? 'none';
      await sender.send(messageTo(`http://127.0.0.1:${receiver.port}/`));
      // The body of the response ends after its headers.
      await aFewTurns();
    }
    expect(receiver.opened).to.have.length(1);
    sender.close();
    await turnsUntil(() => receiver.open() === 0);
  });

  it('sends once more on a new connection when the receiver closes a kept one just then', async () => {
    let requests = 0;
    const receiver = await start((request, response) => {
      requests += 1;
      // The second request of the first connection meets a receiver that closes it.
      if (requests === 2) request.socket.destroy();
      else response.end();
    });
    const sender = senderWith({});
    const url = `http://127.0.0.1:${receiver.port}/`;
    expect((await sender.send(messageTo(url))).error).to.equal(null);
    await aFewTurns();
    expect((await sender.send(messageTo(url))).error).to.equal(null);
    expect({ requests, connections: receiver.opened.length }).to.deep.equal({ requests: 3, connections: 2 });
  });

  it('rejects with the reason of its signal, at once', async () => {
    const receiver = await start(() => undefined);
    const abandoned = new AbortController();
    const sent = senderWith({}).send(messageTo(`http://127.0.0.1:${receiver.port}/`), abandoned.signal);
    await turnsUntil(() => receiver.received.length === 1);
    abandoned.abort(new Error('shutting down'));
    expect(await sent.catch((error) => error.message)).to.equal('shutting down');
    await turnsUntil(() => receiver.open() === 0);
    const later = await senderWith({})
      .send(messageTo(`http://127.0.0.1:${receiver.port}/`), abandoned.signal)
      .catch((error) => error.message);
    expect(later).to.equal('shutting down');
  });

  describe('over TLS', () => {
    const named = {
      cert: readFileSync(certificate.namedCertFile),
      key: readFileSync(certificate.namedKeyFile),
    };
    const addressed = { cert: certificate.cert, key: certificate.key };
    const toThisMachine = async () => [{ address: '127.0.0.1', family: 4 }];

    it('sends the name in SNI and Host, and checks the certificate for it', async () => {
      const servernames: unknown[] = [];
      const receiver = await start(undefined, {
        ...named,
        SNICallback: (name, done) => {
          servernames.push(name);
          done(null);
        },
      });
      const sender = senderWith({ trusted: String(named.cert), findAddresses: toThisMachine });
      for (const name of ['localhost', 'LOCALHOST.'])
        expect(await sender.send(messageTo(`https://${name}:${receiver.port}/`))).to.include({ error: null });
      expect(servernames).to.deep.equal(['localhost', 'localhost']);
      expect(receiver.received.map(({ headers }) => headers.host)).to.deep.equal(
        ['localhost', 'localhost.'].map((name) => `${name}:${receiver.port}`),
      );
      const other = await sender.send(messageTo(`https://other.example:${receiver.port}/`));
      expect(other).to.include({ error: 'tls_failed', statusCode: null });
      expect(receiver.received).to.have.length(2);
    });

    it('checks a certificate for an address', async () => {
      const receiver = await start(undefined, addressed);
      const sender = senderWith({ trusted: certificate.cert });
      expect(await sender.send(messageTo(`https://127.0.0.1:${receiver.port}/`))).to.include({ error: null });
      const wrong = await start(undefined, named);
      const strict = senderWith({ trusted: String(named.cert) });
      expect(await strict.send(messageTo(`https://127.0.0.1:${wrong.port}/`))).to.include({
        error: 'tls_failed',
      });
    });

    it('fails over a certificate that is expired or that no authority vouches for, whatever the environment says', async () => {
      const name = 'NODE_TLS_REJECT_UNAUTHORIZED';
      const before = process.env[name];
      process.env[name] = '0';
      ends.push(() => {
        if (before === undefined) delete process.env[name];
        else process.env[name] = before;
      });
      const expired = readFileSync(certificate.expiredCertFile, 'utf8');
      for (const [tls, trusted] of [
        [addressed, undefined],
        [{ ...addressed, cert: expired }, expired],
      ] as const) {
        const receiver = await start(undefined, tls);
        const sender = senderWith(trusted === undefined ? {} : { trusted });
        const result = await sender.send(messageTo(`https://127.0.0.1:${receiver.port}/`));
        expect(result).to.include({ error: 'tls_failed', statusCode: null });
        expect(receiver.received).to.have.length(0);
      }
    });

    it('fails where the receiver speaks no TLS', async () => {
      const receiver = await start();
      const result = await senderWith({}).send(messageTo(`https://127.0.0.1:${receiver.port}/`));
      expect(result).to.include({ error: 'tls_failed', statusCode: null });
    });

    it('keeps a connection whose certificate it has checked', async () => {
      const receiver = await start(undefined, addressed);
      const sender = senderWith({ trusted: certificate.cert });
      for (let index = 0; index < 3; index += 1) {
        await sender.send(messageTo(`https://127.0.0.1:${receiver.port}/`));
        await aFewTurns();
      }
      expect(receiver.opened).to.have.length(1);
    });
  });
});
