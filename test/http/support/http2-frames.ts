import { once } from 'node:events';
import { connect, type TLSSocket } from 'node:tls';

/** Frames of RFC 9113 section 6, as far as tests send or expect them. */
export const frameTypes = { data: 0, headers: 1, reset: 3, settings: 4, goaway: 7, continuation: 9 } as const;
export const flags = { endStream: 1, endHeaders: 4, padded: 8, priority: 32 } as const;

export interface Frame {
  readonly type: number;
  readonly flags: number;
  readonly stream: number;
  readonly payload: Buffer;
}

export const frame = (
  type: number,
  flagBits: number,
  stream: number,
  payload: Uint8Array = Buffer.alloc(0),
): Buffer => {
  const header = Buffer.alloc(9);
  header.writeUIntBE(payload.length, 0, 3);
  header[3] = type;
  header[4] = flagBits;
  header.writeUInt32BE(stream, 5);
  return Buffer.concat([header, payload]);
};

type Indexing = 'with' | 'without' | 'never';

/** A literal header field with a literal name, without Huffman (RFC 7541 section 6.2). */
export const literal = (name: string, value: string, indexing: Indexing = 'without'): Buffer =>
  Buffer.concat([
    Buffer.from([{ with: 0x40, without: 0, never: 0x10 }[indexing]]),
    string(Buffer.from(name, 'latin1')),
    string(Buffer.from(value, 'latin1')),
  ]);

/** @param bytes of a string, or of a Huffman code */
export const string = (bytes: Uint8Array, isHuffman = false): Buffer => {
  const huffman = isHuffman ? 0x80 : 0;
  const { length } = bytes;
  const prefix =
    length < 127 ? [huffman | length] : [huffman | 127, ((length - 127) & 127) | 128, (length - 127) >> 7];
  return Buffer.concat([Buffer.from(prefix), bytes]);
};

/** A connection of HTTP/2 for frames that no client library would send. */
export class FrameWire {
  readonly #socket: TLSSocket;
  readonly #frames: Frame[] = [];
  #unread: Buffer = Buffer.alloc(0);
  #isClosed = false;
  #wake: () => void = () => undefined;

  private constructor(socket: TLSSocket) {
    this.#socket = socket;
    socket.on('data', (bytes: Buffer) => {
      this.#unread = Buffer.concat([this.#unread, bytes]);
      while (this.#unread.length >= 9 && this.#unread.length >= 9 + this.#unread.readUIntBE(0, 3)) {
        const end = 9 + this.#unread.readUIntBE(0, 3);
        const [type = 0, flagBits = 0] = [this.#unread[3], this.#unread[4]];
        const payload = this.#unread.subarray(9, end);
        this.#frames.push({ type, flags: flagBits, stream: this.#unread.readUInt32BE(5), payload });
        this.#unread = this.#unread.subarray(end);
      }
      this.#wake();
    });
    const close = () => {
      this.#isClosed = true;
      this.#wake();
    };
    socket.on('error', close).on('close', close);
  }

  static async open(url: string, ca: string): Promise<FrameWire> {
    const { hostname: host, port } = new URL(url);
    const socket = connect({ host, port: Number(port), ca, ALPNProtocols: ['h2'] });
    await once(socket, 'secureConnect');
    const wire = new FrameWire(socket);
    return wire.write(Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), frame(frameTypes.settings, 0, 0));
  }

  write(...parts: readonly Uint8Array[]): this {
    this.#socket.write(Buffer.concat(parts));
    return this;
  }

  /** Resolves with the first frame of a stream that has headers of a response or resets it; undefined when the connection is closed. */
  async answer(stream: number): Promise<Frame | undefined> {
    for (;;) {
      const found = this.#frames.find(
        ({ type, stream: of }) => of === stream && (type === frameTypes.headers || type === frameTypes.reset),
      );
      if (found !== undefined || this.#isClosed) return found;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  destroy(): void {
    this.#socket.destroy();
  }
}
