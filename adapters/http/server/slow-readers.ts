import type { ServerResponse } from 'node:http';
import type { Http2Session } from 'node:http2';
import { isMultiplexed, reason } from './http2.ts';
import { mostUnread, unreadAnswer, unreadSession } from './timeouts.ts';

/** A connection with too many answers that nobody reads, and for how many rounds hardly anything has gone out on it. */
interface Stalled {
  readonly rounds: number;
  readonly written: number;
}

/** What goes out in a round where somebody reads is more than this; what pings are answered with is less. */
const hardlyAnything = 1_000;

/** Whoever asks and does not read holds answers and a connection, and that not for ever. */
export class Unread {
  /** Answers that have been written, and for how many rounds nobody has read them to their end. */
  #answers = new Map<ServerResponse, number>();
  #sessions = new Map<Http2Session, Stalled>();

  /** One round. */
  cutOff(responses: Iterable<ServerResponse>): void {
    const answers = new Map<ServerResponse, number>();
    const unread = new Map<Http2Session, number>();
    for (const response of responses) {
      if (!response.writableEnded) continue;
      const rounds = (this.#answers.get(response) ?? 0) + 1;
      if (rounds > unreadAnswer) end(response);
      else answers.set(response, rounds);
      const session = isMultiplexed(response) ? response.stream.session : undefined;
      if (session !== undefined) unread.set(session, (unread.get(session) ?? 0) + 1);
    }
    this.#answers = answers;
    this.#lookAt(unread);
  }

  #lookAt(unread: ReadonlyMap<Http2Session, number>): void {
    const sessions = new Map<Http2Session, Stalled>();
    for (const [session, count] of unread) {
      if (count <= mostUnread || session.destroyed) continue;
      const written = session.socket.bytesWritten;
      const before = this.#sessions.get(session);
      const isStalled = before !== undefined && written - before.written < hardlyAnything;
      const rounds = isStalled ? before.rounds + 1 : 0;
      if (rounds >= unreadSession) session.destroy(undefined, reason.enhanceYourCalm);
      else sessions.set(session, { rounds, written });
    }
    this.#sessions = sessions;
  }
}

const end = (response: ServerResponse): void => {
  if (isMultiplexed(response)) response.stream.close(reason.cancelled);
  else response.req.socket.destroy();
};
