import { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import { HeaderGuard } from './header-guard.ts';

/** The connection of an HTTP/2 client, of which Node reads only what the guard lets pass. */
export class CheckedSocket extends Duplex {
  /** Node decides by it that the connection speaks HTTP/2. */
  readonly alpnProtocol = 'h2';
  readonly encrypted = true;
  readonly #socket: TLSSocket;

  constructor(socket: TLSSocket) {
    super();
    this.#socket = socket;
    // Node does both for a socket that it reads itself.
    socket.setNoDelay();
    socket.disableRenegotiation();
    const guard = new HeaderGuard();
    socket.on('data', (chunk: Buffer) => {
      let wantsMore = true;
      for (const part of guard.check(chunk)) if (part.length > 0) wantsMore = this.push(part);
      if (!wantsMore) socket.pause();
    });
    socket.on('end', () => this.push(null));
    socket.on('error', (error) => this.destroy(error));
    socket.on('close', () => this.destroy());
  }

  override _read(): void {
    this.#socket.resume();
  }

  override _write(chunk: Buffer, _encoding: unknown, done: (error?: Error | null) => void): void {
    this.#socket.write(chunk, done);
  }

  override _writev(
    chunks: readonly { readonly chunk: Buffer }[],
    done: (error?: Error | null) => void,
  ): void {
    this.#socket.write(Buffer.concat(chunks.map(({ chunk }) => chunk)), done);
  }

  override _final(done: () => void): void {
    this.#socket.end(done);
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#socket.destroy();
    done(error);
  }
}
