import { request } from 'node:http';
import type { Json } from '../http/support/client.ts';

interface Answer {
  readonly status: number;
  readonly caching: string | undefined;
  readonly keys: Json;
}

/** Asks a docs page for the keys of the demonstration. */
export const askForKeys = (url: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> =>
  new Promise((resolve, reject) => {
    request(`${url}/docs/keys.json`, { headers }, async (response) => {
      let text = '';
      for await (const part of response) text += part;
      const isJson = response.headers['content-type']?.startsWith('application/json');
      resolve({
        status: response.statusCode ?? 0,
        caching: response.headers['cache-control'],
        keys: isJson ? JSON.parse(text) : undefined,
      });
    })
      .on('error', reject)
      .end();
  });
