import { createServer, type Socket } from 'node:net';
import { expect } from 'chai';
import type { HttpWebhookSender } from '#adapters/webhooks/sender.ts';
import type { WebhookMessage, WebhookResult } from '#application/ports/webhook-sender.ts';
import { SimulatedTime } from '../../support/simulated-time.ts';
import { listen, messageTo, type Receiver, startReceiver, testSender } from './receiver.ts';

/** Writes for as long as the connection is open and takes more. */
const endlessly = (socket: Socket, text: string): void => {
  // Small writes would keep this process busy, in which the sender runs too, until the buffers of the system are full.
  const chunk = text.repeat(Math.ceil(10_000 / text.length));
  const write = () => {
    while (!socket.destroyed && socket.write(chunk));
  };
  socket.on('drain', write);
  write();
};

/** Writes one byte after the other. */
const slowly = (socket: Socket, text: string): void => {
  let index = 0;
  const timer = setInterval(() => socket.write(text[index++ % text.length] ?? ''), 100);
  socket.on('close', () => clearInterval(timer));
};

const head = 'HTTP/1.1 200 OK\r\n';

/** What a receiver does with a connection, and the result of the attempt. */
const misbehaviors: readonly (readonly [
  what: string,
  answer: (socket: Socket) => void,
  result: { readonly error: string | null; readonly statusCode: number | null },
  /** Whether the connection is kept for another message, because both messages have ended. */
  isKept?: boolean,
])[] = [
  ['closes at once', (socket) => socket.destroy(), { error: 'connection_failed', statusCode: null }],
  ['ends without a response', (socket) => socket.end(), { error: 'connection_failed', statusCode: null }],
  [
    'closes in the middle of the headers',
    (socket) => socket.end(`${head}Content-Ty`),
    { error: 'connection_failed', statusCode: null },
  ],
  [
    'closes in the middle of the body',
    (socket) => socket.end(`${head}Content-Length: 100\r\n\r\nhalf`),
    { error: null, statusCode: 200 },
  ],
  [
    'sends a status that HTTP does not have',
    (socket) => socket.end('HTTP/1.1 099 No\r\nContent-Length: 0\r\n\r\n'),
    { error: 'connection_failed', statusCode: null },
  ],
  ['says nothing', () => undefined, { error: 'timed_out', statusCode: null }],
  [
    'sends its headers byte by byte',
    (socket) => slowly(socket, `${head}X: `),
    { error: 'timed_out', statusCode: null },
  ],
  [
    'sends its body byte by byte',
    (socket) => {
      socket.write(`${head}Content-Length: 4000\r\n\r\n`);
      slowly(socket, 'x');
    },
    { error: null, statusCode: 200 },
  ],
  [
    'sends endless headers',
    (socket) => {
      socket.write(head);
      endlessly(socket, `X-A: ${'a'.repeat(1_000)}\r\n`);
    },
    { error: 'connection_failed', statusCode: null },
  ],
  [
    'sends one endless header',
    (socket) => {
      socket.write(`${head}X-A: `);
      endlessly(socket, 'a'.repeat(10_000));
    },
    { error: 'connection_failed', statusCode: null },
  ],
  [
    'sends an endless body without a length',
    (socket) => {
      socket.write(`${head}\r\n`);
      endlessly(socket, 'x'.repeat(10_000));
    },
    { error: null, statusCode: 200 },
  ],
  [
    'sends an endless body in chunks',
    (socket) => {
      socket.write(`${head}Transfer-Encoding: chunked\r\n\r\n`);
      endlessly(socket, `3e8\r\n${'x'.repeat(1_000)}\r\n`);
    },
    { error: null, statusCode: 200 },
  ],
  [
    'sends endless trailers',
    (socket) => {
      socket.write(`${head}Transfer-Encoding: chunked\r\n\r\n0\r\n`);
      endlessly(socket, `X-A: ${'a'.repeat(1_000)}\r\n`);
    },
    { error: null, statusCode: 200 },
  ],
  [
    'announces a body of a petabyte',
    (socket) => socket.write(`${head}Content-Length: 1000000000000000\r\n\r\n`),
    { error: null, statusCode: 200 },
  ],
  [
    'sends 100 Continue and then a response',
    (socket) => socket.write(`HTTP/1.1 100 Continue\r\n\r\n${head}Content-Length: 0\r\n\r\n`),
    { error: null, statusCode: 200 },
    true,
  ],
  [
    'sends 100 Continue without an end',
    (socket) => endlessly(socket, 'HTTP/1.1 100 Continue\r\n\r\n'),
    { error: 'connection_failed', statusCode: null },
  ],
  [
    'sends early hints without an end',
    (socket) => endlessly(socket, 'HTTP/1.1 103 Early Hints\r\nLink: </a>; rel=b\r\n\r\n'),
    { error: 'connection_failed', statusCode: null },
  ],
  [
    'sends early hints without an end, slowly',
    (socket) => slowly(socket, 'HTTP/1.1 103 Early Hints\r\nLink: </a>; rel=b\r\n\r\n'),
    { error: 'timed_out', statusCode: null },
  ],
  [
    'switches protocols',
    (socket) =>
      socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: h2c\r\n\r\n'),
    { error: 'status', statusCode: 101 },
  ],
  [
    'speaks another protocol',
    (socket) => socket.write('220 mail.example ESMTP\r\n'),
    { error: 'connection_failed', statusCode: null },
  ],
  [
    'sends no status',
    (socket) => socket.write('HTTP/1.1\r\n\r\n'),
    { error: 'connection_failed', statusCode: null },
  ],
  [
    'sends a length that is none',
    (socket) => socket.write(`${head}Content-Length: -1\r\n\r\n`),
    { error: 'connection_failed', statusCode: null },
  ],
  [
    'sends two lengths of one body',
    (socket) => socket.write(`${head}Content-Length: 1\r\nContent-Length: 2\r\n\r\n`),
    { error: 'connection_failed', statusCode: null },
  ],
  [
    'sends NUL in a header',
    (socket) => socket.write(`${head}X-A: a\0b\r\n\r\n`),
    { error: 'connection_failed', statusCode: null },
  ],
  [
    'sends a second response that was not asked for',
    (socket) => socket.write(`${head}Content-Length: 0\r\n\r\n${head}Content-Length: 0\r\n\r\n`),
    { error: null, statusCode: 200 },
  ],
  [
    'resets the connection',
    (socket) => socket.resetAndDestroy(),
    { error: 'connection_failed', statusCode: null },
  ],
];

/** Of a connection, and of a whole attempt, in milliseconds. */
const [connectMs, totalMs] = [5_000, 15_000];

describe('A receiver that', () => {
  let time: SimulatedTime;
  let sender: HttpWebhookSender;
  const unhandled: string[] = [];
  const note = (error: unknown) => unhandled.push(String(error));
  const noteLeak = (warning: Error) => warning.name === 'MaxListenersExceededWarning' && note(warning);
  before(() => process.on('uncaughtExceptionMonitor', note).on('warning', noteLeak));
  after(() => process.off('uncaughtExceptionMonitor', note).off('warning', noteLeak));
  beforeEach(() => {
    unhandled.length = 0;
    sender = testSender({ allow: '127.0.0.1:*' });
    time = new SimulatedTime();
  });

  const receivers: Receiver[] = [];
  const start = async (answer: (socket: Socket) => void): Promise<Receiver> => {
    const receiver = await listen(createServer(answer));
    receivers.push(receiver);
    return receiver;
  };
  afterEach(async () => {
    time.end();
    sender.close();
    await Promise.all(receivers.splice(0).map((receiver) => receiver.close()));
  });

  /**
   * No connection of the receiver stays open, though the sender keeps connections, no error is left over, and Node has warned of no
   * emitter whose listeners become more and more.
   */
  const expectNothingLeft = async (receiver: Receiver) => {
    await time.passUntil(() => receiver.open() === 0, 2 * totalMs, 10);
    expect(unhandled).to.deep.equal([]);
  };

  const send = (message: WebhookMessage, by = sender): Promise<WebhookResult> =>
    time.settle(by.send(message), 2 * totalMs, 10);

  it('misbehaves in one way of the table gets the result beside it, and keeps nothing open', async () => {
    for (const [what, answer, expected, isKept = false] of misbehaviors) {
      const receiver = await start((socket) => {
        socket.once('data', () => answer(socket));
      });
      const result = await send(messageTo(`http://127.0.0.1:${receiver.port}/`));
      expect(result, what).to.deep.include(expected);
      if (expected.error === 'timed_out') expect(result.durationMs, what).to.be.closeTo(totalMs, 50);
      else expect(result.durationMs, what).to.be.below(totalMs);
      if (isKept) {
        expect(receiver.open()).to.equal(1);
        sender.close();
      }
      await expectNothingLeft(receiver);
    }
  });

  it('reads nothing gets a timeout, also after it has answered', async () => {
    const body = 'x'.repeat(8_000_000);
    for (const [answer, error] of [
      ['', 'timed_out'],
      [`${head}Content-Length: 0\r\n\r\n`, null],
    ] as const) {
      const receiver = await start((socket) => socket.pause().write(answer));
      const result = await send({ ...messageTo(`http://127.0.0.1:${receiver.port}/`), body });
      expect(result).to.include({ error });
      // A paused connection of the receiver notices nothing by itself.
      for (const socket of receiver.opened) socket.resume();
      await expectNothingLeft(receiver);
    }
  });

  it('does not exist gets the result connection_failed', async () => {
    const receiver = await listen(createServer());
    await receiver.close();
    const result = await send(messageTo(`http://127.0.0.1:${receiver.port}/`));
    expect(result).to.include({ error: 'connection_failed', statusCode: null });
  });

  it('never begins its TLS gets the result timed_out after the time to connect', async () => {
    const receiver = await start((socket) => socket.resume());
    const result = await send(messageTo(`https://127.0.0.1:${receiver.port}/`));
    expect(result).to.include({ error: 'timed_out', statusCode: null });
    expect(result.durationMs).to.be.closeTo(connectMs, 50);
    await expectNothingLeft(receiver);
  });

  it('sends an endless body gets no more than the sender needs to notice', async () => {
    const receiver = await startReceiver((_, response) => {
      const write = () => {
        while (!response.destroyed && response.write('x'.repeat(10_000)));
      };
      response.on('drain', write).on('error', () => undefined);
      write();
    });
    receivers.push(receiver);
    const results = await Promise.all(
      Array.from({ length: 5 }, () => send(messageTo(`http://127.0.0.1:${receiver.port}/`))),
    );
    expect(results.map(({ error }) => error)).to.deep.equal(Array(5).fill(null));
    await expectNothingLeft(receiver);
    // What the buffers of the system hold, and no more.
    for (const { bytesWritten } of receiver.opened) expect(bytesWritten).to.be.within(10_000, 16_000_000);
  });

  it('is met two hundred times leaves no listener on a connection that is kept', async () => {
    const receiver = await startReceiver();
    receivers.push(receiver);
    // Node warns of more than ten listeners to one event.
    const warnings: Error[] = [];
    const note = (warning: Error) => warnings.push(warning);
    process.on('warning', note);
    try {
      for (let index = 0; index < 200; index += 1)
        await send(messageTo(`http://127.0.0.1:${receiver.port}/`));
    } finally {
      process.off('warning', note);
    }
    expect(warnings).to.deep.equal([]);
    expect(receiver.opened.length).to.be.lessThan(5);
    sender.close();
    await expectNothingLeft(receiver);
  });
});
