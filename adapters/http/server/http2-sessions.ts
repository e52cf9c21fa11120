import type { Server } from 'node:http';
import type { ServerHttp2Session } from 'node:http2';
import { idleSessionTimeoutMs, timeouts } from './timeouts.ts';

interface Activity {
  /** When the last stream closed or the session began, on the scale of `performance.now()`. */
  idleSince: number;
  /** The number of open streams. */
  streams: number;
  /** How long the session may be idle. */
  idleTimeoutMs: number;
}

/**
 * Ends idle HTTP/2 sessions. Only a stream counts as activity: otherwise a client could keep a session open with pings, or with
 * headers that never end.
 */
export class Http2Sessions {
  readonly #sessions = new Map<ServerHttp2Session, Activity>();
  #isClosing = false;

  constructor(server: Server) {
    server.on('session', (session: ServerHttp2Session) => this.#track(session));
  }

  /** Call this once each `checkIntervalMs`: closes idle sessions, and destroys those that are still idle at the next call. */
  closeIdle(): void {
    const now = performance.now();
    for (const [session, { idleSince, streams, idleTimeoutMs }] of this.#sessions) {
      if (streams > 0 || now - idleSince < idleTimeoutMs) continue;
      if (session.closed) session.destroy();
      else session.close();
    }
  }

  /** Sends GOAWAY: each session accepts no more requests and ends with its last response (RFC 9113, section 6.8). */
  close(): void {
    this.#isClosing = true;
    for (const session of this.#sessions.keys()) session.close();
  }

  #track(session: ServerHttp2Session): void {
    const activity = {
      idleSince: performance.now(),
      streams: 0,
      idleTimeoutMs: timeouts.headersTimeout,
    };
    this.#sessions.set(session, activity);
    session.once('close', () => this.#sessions.delete(session));
    // Its TLS handshake was still under way when the server began to close.
    if (this.#isClosing) session.close();
    session.on('stream', (stream) => {
      activity.streams += 1;
      activity.idleTimeoutMs = idleSessionTimeoutMs;
      stream.once('close', () => {
        activity.streams -= 1;
        activity.idleSince = performance.now();
      });
    });
  }
}
