import type { ServerResponse } from 'node:http';

/** Interval at which slow readers are checked. */
export const checkIntervalMs = 1_000;

/** A client must read a written response within this many checks. */
const unreadResponseChecks = 30;

/**
 * Ends connections of slow readers (slow-read attack). A client that never reads its responses would otherwise hold their
 * memory, and its connection, for ever.
 */
export class SlowReaderGuard {
  /** Written responses, and for how many checks in a row the client has not read them to their end. */
  #unread = new Map<ServerResponse, number>();

  /** Call this once each `checkIntervalMs` with all responses in flight. */
  check(responses: Iterable<ServerResponse>): void {
    const unread = new Map<ServerResponse, number>();
    for (const response of responses) {
      if (!response.writableEnded) continue;
      const checks = (this.#unread.get(response) ?? 0) + 1;
      if (checks > unreadResponseChecks) response.req.socket.destroy();
      else unread.set(response, checks);
    }
    this.#unread = unread;
  }
}
