import type { ServerResponse } from 'node:http';
import type { Http2Session } from 'node:http2';
import { http2ErrorCode, isHttp2Response } from './http2.ts';
import { maxUnreadResponses, stalledSessionChecks, unreadResponseChecks } from './timeouts.ts';

/** A connection with too many answers that nobody reads, and for how many rounds hardly anything has gone out on it. */
interface Stalled {
  readonly rounds: number;
  readonly written: number;
}

/** What goes out in a round where somebody reads is more than this; what pings are answered with is less. */
const minProgressBytes = 1_000;

/** Whoever asks and does not read holds answers and a connection, and that not for ever. */
export class SlowReaderGuard {
  /** Answers that have been written, and for how many rounds nobody has read them to their end. */
  #answers = new Map<ServerResponse, number>();
  #sessions = new Map<Http2Session, Stalled>();

  /** One round. */
  check(responses: Iterable<ServerResponse>): void {
    const answers = new Map<ServerResponse, number>();
    const unread = new Map<Http2Session, number>();
    for (const response of responses) {
      if (!response.writableEnded) continue;
      const rounds = (this.#answers.get(response) ?? 0) + 1;
      if (rounds > unreadResponseChecks) end(response);
      else answers.set(response, rounds);
      const session = isHttp2Response(response) ? response.stream.session : undefined;
      if (session !== undefined) unread.set(session, (unread.get(session) ?? 0) + 1);
    }
    this.#answers = answers;
    this.#lookAt(unread);
  }

  #lookAt(unread: ReadonlyMap<Http2Session, number>): void {
    const sessions = new Map<Http2Session, Stalled>();
    for (const [session, count] of unread) {
      if (count <= maxUnreadResponses || session.destroyed) continue;
      const written = session.socket.bytesWritten;
      const before = this.#sessions.get(session);
      const isStalled = before !== undefined && written - before.written < minProgressBytes;
      const rounds = isStalled ? before.rounds + 1 : 0;
      if (rounds >= stalledSessionChecks) session.destroy(undefined, http2ErrorCode.enhanceYourCalm);
      else sessions.set(session, { rounds, written });
    }
    this.#sessions = sessions;
  }
}

const end = (response: ServerResponse): void => {
  if (isHttp2Response(response)) response.stream.close(http2ErrorCode.cancelled);
  else response.req.socket.destroy();
};
