import type { Server } from 'node:http';
import { createSecureServer, Http2ServerResponse, type SecureServerOptions } from 'node:http2';
import {
  CoalescedResponse,
  endListener,
  type HasEndListener,
  notifyEnded,
} from './coalescing/coalesced-response.ts';

/** What `Response` is for HTTP/1. Of HTTP/2, Node itself lets leave together what is ready. */
class MultiplexedResponse extends Http2ServerResponse implements HasEndListener {
  [endListener]?: (() => void) | undefined;

  // biome-ignore lint/suspicious/noExplicitAny: it takes what the one takes of which it is the end
  override end(...given: readonly any[]): this {
    notifyEnded(this);
    return Reflect.apply(super.end, this, given);
  }
}

/**
 * What a session may hold open, and how long its headers may be. The application refuses longer ones than 16 KiB; up
 * to this limit they come so far, beyond it their stream is reset.
 */
const settings = { maxConcurrentStreams: 100, maxHeaderListSize: 64 * 1024 };

const responses = { Http1ServerResponse: CoalescedResponse, Http2ServerResponse: MultiplexedResponse };

/** Requests and answers of HTTP/2 come in the shape of HTTP/1's, so the server is taken for one of that. */
export const createServer = (options: SecureServerOptions): Server =>
  createSecureServer({ ...options, ...responses, allowHTTP1: true, settings }) as unknown as Server;
