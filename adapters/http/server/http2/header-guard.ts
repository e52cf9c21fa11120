import { checkHeaderBlock } from './header-block.ts';

const nothing: Buffer = Buffer.alloc(0);

const frameHeaderBytes = 9;
const prefaceBytes = 24;
const frameTypes = { headers: 0x1, continuation: 0x9 };
const flags = { endHeaders: 0x4, padded: 0x8, priority: 0x20 };

/** The largest payload of a frame that this server allows (SETTINGS_MAX_FRAME_SIZE). Node ends a connection with a larger one. */
const maxPayloadBytes = 16_384;

/** Beyond this a block is not collected. It is above what Node accepts, so Node resets the stream. */
const maxBlockBytes = 256 * 1024;

/** A header with upper case, for which Node must reset a stream (RFC 9113 section 8.2.1): `X: x`, without indexing. */
const malformedField = Buffer.from([0x00, 0x01, 0x58, 0x01, 0x78]);

/**
 * Rejects requests on one HTTP/2 connection whose headers have a byte that no header may have, such as NUL, CR or LF. nghttp2
 * drops such a header and goes on with the request, so that a lost `Idempotency-Key` would make it happen twice. RFC 9113
 * section 8.2.1 demands a stream error.
 *
 * It sees the bytes before Node does. To a malformed header block it adds a field for which Node resets the stream.
 */
export class HeaderGuard {
  /** Bytes of a frame whose rest has not arrived. */
  #pending: Buffer = nothing;
  /** How many of the next bytes are no header block. */
  #skip = prefaceBytes;
  #fragments: Buffer[] = [];
  #blockBytes = 0;
  /** Whether the table of the connection holds a malformed header, to which every later block may refer. */
  #isTainted = false;

  /** @param chunk what has arrived @returns what Node shall read instead, in order */
  check(chunk: Buffer): readonly Buffer[] {
    const bytes = this.#pending.length === 0 ? chunk : Buffer.concat([this.#pending, chunk]);
    const passed: Buffer[] = [];
    let passedBytes = 0;
    let offset = 0;
    for (;;) {
      const skipped = Math.min(this.#skip, bytes.length - offset);
      this.#skip -= skipped;
      offset += skipped;
      if (bytes.length - offset < frameHeaderBytes) break;
      const payloadBytes = bytes.readUIntBE(offset, 3);
      const type = bytes[offset + 3];
      const isBlock = type === frameTypes.headers || type === frameTypes.continuation;
      if (!isBlock || payloadBytes > maxPayloadBytes) {
        this.#skip = frameHeaderBytes + payloadBytes;
        continue;
      }
      const end = offset + frameHeaderBytes + payloadBytes;
      if (end > bytes.length) break;
      const frame = bytes.subarray(offset, end);
      if (this.#completesMalformedBlock(frame)) {
        passed.push(bytes.subarray(passedBytes, offset), ...withMalformedField(frame));
        passedBytes = end;
      }
      offset = end;
    }
    // An empty slice would keep the memory of the whole chunk while the connection is idle.
    this.#pending = offset === bytes.length ? nothing : bytes.subarray(offset);
    passed.push(bytes.subarray(passedBytes, offset));
    return passed;
  }

  #completesMalformedBlock(frame: Buffer): boolean {
    const frameFlags = frame[4] ?? 0;
    if (frame[3] === frameTypes.headers) {
      this.#fragments = [];
      this.#blockBytes = 0;
    }
    this.#blockBytes += frame.length;
    const isTooLarge = this.#blockBytes > maxBlockBytes;
    if (isTooLarge) this.#fragments = [];
    else this.#fragments.push(fragmentOf(frame));
    if ((frameFlags & flags.endHeaders) === 0) {
      // The rest of its chunk is not kept with it.
      const last = this.#fragments.pop();
      if (last !== undefined) this.#fragments.push(Buffer.from(last));
      return false;
    }
    const [only, ...others] = this.#fragments;
    const block = only !== undefined && others.length === 0 ? only : Buffer.concat(this.#fragments);
    this.#fragments = [];
    const { isMalformed, isKept } = checkHeaderBlock(block);
    this.#isTainted ||= isKept;
    return isMalformed || this.#isTainted || isTooLarge;
  }
}

/** The part of a header block in a frame, without padding and priority (RFC 9113 section 6.2). */
const fragmentOf = (frame: Buffer): Buffer => {
  if (frame[3] !== frameTypes.headers) return frame.subarray(frameHeaderBytes);
  const frameFlags = frame[4] ?? 0;
  const isPadded = (frameFlags & flags.padded) !== 0;
  const begin = frameHeaderBytes + (isPadded ? 1 : 0) + ((frameFlags & flags.priority) === 0 ? 0 : 5);
  const padding = isPadded ? (frame[frameHeaderBytes] ?? 0) : 0;
  return frame.subarray(begin, Math.max(begin, frame.length - padding));
};

/** The last frame of a header block, and a CONTINUATION frame that ends it in its place. */
const withMalformedField = (frame: Buffer): readonly Buffer[] => {
  const last = Buffer.from(frame);
  last[4] = (last[4] ?? 0) & ~flags.endHeaders;
  const more = Buffer.alloc(frameHeaderBytes);
  more.writeUIntBE(malformedField.length, 0, 3);
  more[3] = frameTypes.continuation;
  more[4] = flags.endHeaders;
  frame.copy(more, 5, 5, frameHeaderBytes);
  return [last, more, malformedField];
};
