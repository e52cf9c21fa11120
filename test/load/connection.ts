import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** What came back of a request: a status, or nothing that could be read. */
export interface Answer {
  readonly status: number;
  /** Head and body as they came, in one piece. */
  readonly bytes: Buffer;
}

type Told = (answer: Answer | Error) => void;

const headEnd = Buffer.from('\r\n\r\n');
const contentLength = /\r\ncontent-length: (\d+)/i;
const closing = /\r\nconnection: close/i;

/**
 * One connection over which requests go that are bytes already, one after the other. It knows no more of HTTP than it
 * takes to tell where an answer ends, so that whoever makes the load is not what is measured: every
 * answer has to say its length.
 */
export class Connection {
  readonly #socket: Socket;
  #told: Told | undefined;
  #arrived: Buffer | undefined;
  #isOpen = true;

  constructor(port: number) {
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true });
    this.#socket.on('data', (chunk: Buffer) => this.#take(chunk));
    this.#socket.on('error', (error) => this.#end(error));
    this.#socket.on('close', () => this.#end(new Error('The connection was closed.')));
  }

  /** One that is there already. */
  static async to(port: number): Promise<Connection> {
    const connection = new Connection(port);
    await once(connection.#socket, 'connect');
    return connection;
  }

  /** Whether a request can still go over it. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** @param told once, what came of it */
  ask(request: Buffer, told: Told): void {
    this.#told = told;
    this.#socket.write(request);
  }

  /** However it is, a request under way included. */
  destroy(): void {
    this.#told = undefined;
    this.#isOpen = false;
    this.#socket.destroy();
  }

  #take(chunk: Buffer): void {
    const arrived = this.#arrived === undefined ? chunk : Buffer.concat([this.#arrived, chunk]);
    const end = arrived.indexOf(headEnd);
    const head = end < 0 ? '' : arrived.toString('latin1', 0, end);
    const length = end < 0 ? 0 : end + headEnd.length + Number(contentLength.exec(head)?.[1] ?? 0);
    if (end < 0 || arrived.length < length) {
      this.#arrived = arrived;
      return;
    }
    this.#arrived = undefined;
    if (closing.test(head)) this.#leave();
    this.#tell({ status: Number(head.slice(9, 12)), bytes: arrived });
  }

  #leave(): void {
    this.#isOpen = false;
    this.#socket.end();
  }

  #end(error: Error): void {
    this.#isOpen = false;
    this.#tell(error);
  }

  #tell(answer: Answer | Error): void {
    const told = this.#told;
    this.#told = undefined;
    told?.(answer);
  }
}
