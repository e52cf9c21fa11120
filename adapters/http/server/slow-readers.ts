import type { ServerResponse } from 'node:http';
import type { Http2Session } from 'node:http2';
import { http2ErrorCode, isHttp2Response } from '../request/node-response.ts';
import { maxUnreadResponses, stalledSessionChecks, unreadResponseChecks } from './timeouts.ts';

/** An HTTP/2 session with too many unread responses. */
interface StalledSession {
  /** For how many checks in a row the session has made no progress. */
  readonly checks: number;
  /** The bytes written to its socket at the last check. */
  readonly written: number;
}

/** A session that reads responses takes more bytes than this between two checks; replies to pings take fewer. */
const minProgressBytes = 1_000;

/**
 * Ends connections of slow readers (slow-read attack). A client that never reads its responses would otherwise hold their
 * memory, and its connection, for ever.
 */
export class SlowReaderGuard {
  /** Written responses, and for how many checks in a row the client has not read them to their end. */
  #unread = new Map<ServerResponse, number>();
  #stalled = new Map<Http2Session, StalledSession>();

  /** Call this once each `checkIntervalMs` with all responses in flight. */
  check(responses: Iterable<ServerResponse>): void {
    const unread = new Map<ServerResponse, number>();
    const unreadBySession = new Map<Http2Session, number>();
    for (const response of responses) {
      if (!response.writableEnded) continue;
      const checks = (this.#unread.get(response) ?? 0) + 1;
      if (checks > unreadResponseChecks) abort(response);
      else unread.set(response, checks);
      const session = isHttp2Response(response) ? response.stream.session : undefined;
      if (session !== undefined) unreadBySession.set(session, (unreadBySession.get(session) ?? 0) + 1);
    }
    this.#unread = unread;
    this.#checkSessions(unreadBySession);
  }

  #checkSessions(unreadBySession: ReadonlyMap<Http2Session, number>): void {
    const stalled = new Map<Http2Session, StalledSession>();
    for (const [session, count] of unreadBySession) {
      if (count <= maxUnreadResponses || session.destroyed) continue;
      const written = session.socket.bytesWritten;
      const before = this.#stalled.get(session);
      const isStalled = before !== undefined && written - before.written < minProgressBytes;
      const checks = isStalled ? before.checks + 1 : 0;
      if (checks >= stalledSessionChecks) session.destroy(undefined, http2ErrorCode.enhanceYourCalm);
      else stalled.set(session, { checks, written });
    }
    this.#stalled = stalled;
  }
}

const abort = (response: ServerResponse): void => {
  if (isHttp2Response(response)) response.stream.close(http2ErrorCode.cancelled);
  else response.req.socket.destroy();
};
