import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';

/** A mail that the server has read to its end. */
export interface Received {
  readonly to: readonly string[];
  /** The headers and the text as they came. */
  readonly raw: string;
  /** The text in the characters that it is written in. */
  readonly body: string;
  readonly header: (name: string) => string | undefined;
}

/** Where a delivery by SMTP is: before the greeting, at the address of the sender and of the customer, and when the mail is there and 250 is not. */
export type Stage = 'greeting' | 'sender' | 'address' | 'accepted';

/** Called at a stage. The server goes on when it resolves; what it throws is the response. */
type Visitor = (stage: Stage) => Promise<void> | void;

/** An error whose code an SMTP server responds with. */
export const smtpError = (responseCode: number, message: string): Error =>
  Object.assign(new Error(message), { responseCode });

const received = (to: readonly string[], raw: string): Received => {
  const end = raw.indexOf('\r\n\r\n');
  const head = raw.slice(0, end).replaceAll(/\r\n[ \t]+/g, ' ');
  const header = (name: string): string | undefined =>
    new RegExp(`^${name}: (.*)$`, 'im').exec(head)?.[1]?.trimEnd();
  const quoted = raw.slice(end + 4).replaceAll('=\r\n', '');
  const isQuoted = header('Content-Transfer-Encoding') === 'quoted-printable';
  const decoded = quoted.replaceAll('%', '%25').replaceAll(/=([0-9A-F]{2})/g, '%$1');
  return {
    to,
    raw,
    header,
    body: (isQuoted ? decodeURIComponent(decoded) : quoted).replaceAll('\u00a0', ' '),
  };
};

/** An SMTP server on 127.0.0.1 that keeps what it gets. It is a real one: only `visit` is of the tests. */
export class PostOffice {
  readonly mails: Received[] = [];
  visit: Visitor = () => undefined;
  readonly #port: number;
  #server: SMTPServer | undefined;

  constructor(port: number) {
    this.#port = port;
  }

  get url(): string {
    return `smtp://127.0.0.1:${this.#port}`;
  }

  async open(): Promise<void> {
    const server = new SMTPServer({
      ...{ authOptional: true, disabledCommands: ['STARTTLS'], disableReverseLookup: true, closeTimeout: 1 },
      onConnect: (_, done) => this.#stop('greeting', done),
      onMailFrom: (_, __, done) => this.#stop('sender', done),
      onRcptTo: (_, __, done) => this.#stop('address', done),
      onData: (stream, { envelope }, done) => {
        text(stream).then((raw) => {
          this.mails.push(
            received(
              envelope.rcptTo.map(({ address }) => address),
              raw,
            ),
          );
          this.#stop('accepted', done);
        }, done);
      },
    });
    // A killed client breaks its connection.
    server.on('error', () => undefined);
    const listening = server.listen(this.#port, '127.0.0.1');
    await once(listening, 'listening');
    this.#server = server;
  }

  async close(): Promise<void> {
    await new Promise<void>((resolve) => this.#server?.close(resolve));
  }

  /** @returns the mails that were sent for an event, by their Message-ID */
  of(eventId: string): readonly Received[] {
    return this.mails.filter((mail) => mail.header('Message-ID') === `<${eventId}@shop.example>`);
  }

  #stop(stage: Stage, done: (error?: Error | null) => void): void {
    Promise.resolve()
      .then(() => this.visit(stage))
      .then(() => done(), done);
  }
}
