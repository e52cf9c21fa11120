import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { withKey } from './keys.ts';

/** An answer that was given once, to be given again. */
export interface Canned {
  readonly status: number;
  /** Names and values in turn, as they went over the wire. */
  readonly headers: readonly string[];
  readonly body: string;
}

/** What Node adds to every answer by itself. */
const added = new Set(['date', 'connection', 'keep-alive']);

/** Sends a request that is there as it goes over the wire, but for its key. @returns its answer */
export const answerTo = (port: number, wire: string): Promise<Canned> => {
  const [head = '', body = ''] = withKey(wire).split('\r\n\r\n');
  const [first = '', ...lines] = head.split('\r\n');
  const [method, path] = first.split(' ');
  const headers = lines.map((line) => line.split(': ') as [string, string]);
  return new Promise((resolve, reject) => {
    const asked = request({
      port,
      host: '127.0.0.1',
      method,
      path,
      headers: Object.fromEntries(headers),
      agent: false,
    });
    asked.on('error', reject).on('response', async (answer) => {
      const raw = answer.rawHeaders;
      const kept = raw.filter((_, place) => !added.has((raw[place - (place % 2)] ?? '').toLowerCase()));
      resolve({ status: answer.statusCode ?? 0, headers: kept, body: await text(answer) });
    });
    asked.end(body);
  });
};
