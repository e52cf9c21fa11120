// The yardstick: a server on `node:http` and the driver alone, written by hand to be fast. It has no credentials, limits,
// validation, logs or metrics.
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { CannedResponse } from '../load/canned.ts';
import { openMemory } from './memory.ts';
import { openPostgres } from './postgres.ts';
import { openSqlite } from './sqlite.ts';
import type { Store } from './store.ts';
import { bodyOf, listOf } from './views.ts';

const { DATABASE_URL: url = '', CANNED: file = '/dev/null' } = process.env;
const open = (): Store => {
  if (url.startsWith('memory:')) return openMemory(url.slice('memory:'.length));
  return url.startsWith('sqlite:') ? openSqlite(url.slice('sqlite:'.length)) : openPostgres(url);
};

const store = open();

/** Canned responses by path. */
const canned = new Map<string, CannedResponse>(
  Object.entries(JSON.parse(readFileSync(file, 'utf8') || '{}')),
);

const products = '/v1/products';

const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const path = request.url ?? '';
  const ready = canned.get(path);
  if (ready !== undefined) {
    if (request.method === 'POST') await text(request);
    response.writeHead(ready.status, [...ready.headers]).end(ready.body);
  } else if (request.method === 'POST') {
    const body = JSON.parse(await text(request));
    const key = String(request.headers['idempotency-key']);
    const write = path === '/v1/orders' ? store.order(key, body) : store.pay(key, body);
    send(response, 201, await write);
  } else if (path.startsWith(`${products}/`)) {
    const row = await store.product(path.slice(products.length + 1));
    send(response, row === undefined ? 404 : 200, bodyOf(row));
  } else {
    const query = new URLSearchParams(path.slice(products.length + 1));
    const limit = Number(query.get('limit'));
    const cursor = query.get('cursor');
    const rows = await store.products(cursor === null ? undefined : idIn(cursor), limit + 1);
    send(response, 200, listOf(rows, limit));
  }
};

const idIn = (cursor: string): string => {
  const hex = Buffer.from(cursor, 'base64url').toString('hex', 0, 16);
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
};

const send = (response: ServerResponse, status: number, body: string): void => {
  response
    .writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) })
    .end(body);
};

const server = createServer((request, response) => {
  answer(request, response).catch((error: unknown) => {
    process.stderr.write(`${error}\n`);
    send(response, 500, '{}');
  });
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`Listens on ${(server.address() as AddressInfo).port}\n`);
});
process.once('SIGTERM', () => process.exit());
