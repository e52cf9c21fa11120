// A reader of the feed that waits, and keeps its cursor and the events in one transaction. It may be killed at any time.
import { setTimeout as pause } from 'node:timers/promises';
import { openReaderFile } from './reader-file.ts';

const [path, token, ...urls] = process.argv.slice(2) as [string, string, ...string[]];
const file = openReaderFile(path);
const startPath = '/v1/events?limit=100';

interface Body {
  readonly data: readonly { readonly id: string; readonly sequence: number }[];
  readonly links: { readonly resume: string };
}

/** Responses of a server that is starting, ending or without its database. */
const isPassing = (status: number): boolean => status >= 500 || status === 429;

/** @returns undefined when there is no page, now */
const read = async (url: string): Promise<Body | undefined> => {
  try {
    const response = await fetch(url, {
      headers: { Authorization: `Bearer ${token}`, Prefer: 'wait=5' },
      signal: AbortSignal.timeout(20_000),
    });
    const text = await response.text();
    if (response.status === 200) return JSON.parse(text);
    if (!isPassing(response.status)) file.note(`${response.status} ${text.slice(0, 300)}`);
  } catch {
    // The server was killed.
  }
  return undefined;
};

for (let turn = process.pid; ; ) {
  const page = await read(`${urls[turn % urls.length]}${file.position() ?? startPath}`);
  if (page !== undefined) file.keep(page.data, page.links.resume);
  else {
    turn += 1;
    await pause(100);
  }
}
