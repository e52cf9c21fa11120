// Lists the files that a request passes through on PostgreSQL: `node test/architecture/files-per-request.ts`.
import { relative } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { startServer } from '../bootstrap/support/server.ts';
import { Client, type Json } from '../http/support/client.ts';
import { expectOne } from '../http/support/expectations.ts';
import { newOrder, newPayment, tea } from '../http/support/shop.ts';
import { freshDatabase } from '../support/postgres.ts';
import { startFlags } from '../support/start-flags.ts';
import { endRun } from '../support/test-run.ts';
import { CoverageSession } from './coverage-session.ts';

/** Production files with at least one function that ran in every one of several equal requests. */
export interface FilesPerRequest {
  /** POST /v1/payments */
  readonly payment: readonly string[];
  /** GET /v1/products/:id */
  readonly read: readonly string[];
}

const root = fileURLToPath(new URL('../..', import.meta.url));
const production = /^(domain|application|adapters|bootstrap)\//;

/** Requests before the first measured one, so that what is compiled, cached or connected once is there. */
const warmUp = 5;
/**
 * Only files of all of them count, because timers run meanwhile, the sweep of rate limits during most of them. On a busy machine
 * more requests are measured, until so many have left out no further file.
 */
const minMeasured = 20;
const minUnchanged = 10;

/** How long work behind a response may take (log line, end of a transaction), in milliseconds. */
const settleMs = 20;

/** Starts Portico as `npm start` does, on a new database, and sends it one request at a time. */
export const filesPerRequest = async (): Promise<FilesPerRequest> => {
  await using cleanUp = new AsyncDisposableStack();
  const { url, drop } = await freshDatabase();
  cleanUp.defer(drop);
  const flags = [...startFlags, '--inspect=127.0.0.1:0'];
  const { program, client: operator } = await startServer(
    { DATABASE_URL: url, LOG_LEVEL: 'info' },
    { flags },
  );
  cleanUp.defer(() => program.kill());
  // Node writes the address of the inspector there.
  const [, address = ''] = await program.printed(/(ws:\S+)\n/, { on: 'errors' });
  const session = await CoverageSession.open(address);
  cleanUp.defer(() => session.close());

  /** @param prepare runs before each request and is not counted */
  const filesOf = async <T>(prepare: () => Promise<T>, send: (prepared: T) => Promise<unknown>) => {
    let files: Set<string> | undefined;
    let unchanged = 0;
    for (let nth = 0; nth < warmUp + minMeasured || unchanged < minUnchanged; nth += 1) {
      const prepared = await prepare();
      await pause(settleMs);
      await session.takeFiles();
      await send(prepared);
      await pause(settleMs);
      const called = new Set(await session.takeFiles());
      if (nth < warmUp) continue;
      const common = files?.intersection(called) ?? called;
      unchanged = common.size === files?.size ? unchanged + 1 : 0;
      files = common;
    }
    return [...(files ?? [])]
      .map((file) => relative(root, file))
      .filter((file) => production.test(file))
      .sort();
  };

  const customer = await newCustomer(operator);
  const product = expectOne(await operator.post('/v1/products', tea), 201);
  const read = async () => expectOne(await customer.get(`/v1/products/${product.id}`));
  return {
    payment: await filesOf(
      () => newOrder(customer, product),
      (order) => newPayment(customer, order),
    ),
    // The read before it keeps the key's share of its rate limit, which is given back when it is idle.
    read: await filesOf(read, read),
  };
};

/** A client with a key that is kept in the database, as all but the operator have. */
const newCustomer = async (operator: Client): Promise<Client> => {
  const account = { email: 'ada@example.com', name: 'Ada', role: 'customer' };
  const user: Json = expectOne(await operator.post('/v1/users', account), 201);
  const key = expectOne(await operator.post('/v1/api-keys', { user_id: user.id, name: 'Test' }), 201);
  return new Client(() => operator.base, key.token);
};

const main = async (): Promise<void> => {
  try {
    const { payment, read } = await filesPerRequest();
    for (const [name, files] of Object.entries({
      'POST /v1/payments': payment,
      'GET /v1/products/:id': read,
    })) {
      process.stdout.write(`${name}: ${files.length} files\n${files.map((file) => `  ${file}\n`).join('')}`);
    }
  } finally {
    await endRun();
  }
};

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await main();
