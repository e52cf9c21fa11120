import type { Server } from 'node:http';
import type { ServerHttp2Session } from 'node:http2';
import { idleSessionTimeoutMs, timeouts } from './timeouts.ts';

interface Use {
  /** Since when nothing has been asked, in milliseconds of `performance.now()`. */
  since: number;
  /** Requests that have arrived as far as their headers, and are not done with. */
  streams: number;
  /** How long it may be without any, in milliseconds. */
  patience: number;
}

/**
 * Connections of HTTP/2. What they send keeps them from being idle only where it is a request: pings do not, and headers
 * that never end do not either.
 */
export class Http2Sessions {
  readonly #uses = new Map<ServerHttp2Session, Use>();
  #isClosing = false;

  constructor(server: Server) {
    server.on('session', (session: ServerHttp2Session) => this.#follow(session));
  }

  /** One round: those that were idle for too long end. */
  closeIdle(): void {
    const now = performance.now();
    for (const [session, { since, streams, patience }] of this.#uses) {
      if (streams > 0 || now - since < patience) continue;
      if (session.closed) session.destroy();
      else session.close();
    }
  }

  /** Takes no more requests, says which was the last, and ends each session with its last answer. */
  close(): void {
    this.#isClosing = true;
    for (const session of this.#uses.keys()) session.close();
  }

  #follow(session: ServerHttp2Session): void {
    const use = { since: performance.now(), streams: 0, patience: timeouts.headersTimeout };
    this.#uses.set(session, use);
    session.once('close', () => this.#uses.delete(session));
    // Its connection had been taken, and was still being secured.
    if (this.#isClosing) session.close();
    session.on('stream', (stream) => {
      use.streams += 1;
      use.patience = idleSessionTimeoutMs;
      stream.once('close', () => {
        use.streams -= 1;
        use.since = performance.now();
      });
    });
  }
}
