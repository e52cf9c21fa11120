import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { withKey } from './keys.ts';

/** A recorded response. */
export interface CannedResponse {
  readonly status: number;
  /** Alternating names and values, as they went over the wire. */
  readonly headers: readonly string[];
  readonly body: string;
}

/** Headers that Node adds by itself. */
const added = new Set(['date', 'connection', 'keep-alive']);

/** Sends a request given as text, with a new key in place of `{key}`. @returns its response */
export const sendOnce = (port: number, wire: string): Promise<CannedResponse> => {
  const [head = '', body = ''] = withKey(wire).split('\r\n\r\n');
  const [first = '', ...lines] = head.split('\r\n');
  const [method, path] = first.split(' ');
  const headers = lines.map((line) => line.split(': ') as [string, string]);
  return new Promise((resolve, reject) => {
    const sent = request({
      port,
      host: '127.0.0.1',
      method,
      path,
      headers: Object.fromEntries(headers),
      agent: false,
    });
    sent.on('error', reject).on('response', async (response) => {
      const raw = response.rawHeaders;
      const kept = raw.filter((_, place) => !added.has((raw[place - (place % 2)] ?? '').toLowerCase()));
      resolve({ status: response.statusCode ?? 0, headers: kept, body: await text(response) });
    });
    sent.end(body);
  });
};
