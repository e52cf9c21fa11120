import { randomUUID } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { expect } from 'chai';
import { Client, type Json } from '../../http/support/client.ts';
import { credential, jsonText, requestText, Wire } from '../../http/support/wire.ts';
import { Program } from '../../lab/program.ts';
import { StripeProcess } from '../../stripe/stripe-process.ts';
import { signatureOf } from '../../stripe/webhooks/payload.ts';
import { Network } from '../../support/network.ts';
import { freshDatabase } from '../../support/postgres.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { until } from '../../support/until.ts';
import { freePort } from '../support/ports.ts';
import { type Server, startServer } from '../support/server.ts';
import { serverSettings } from '../support/server-settings.ts';
import { canaries } from './canary-secrets.ts';

/** A database, and how to break it. */
interface Place {
  readonly url: string;
  contents(): Promise<string>;
  /** Makes the database fail while something runs. */
  whileBroken(act: () => Promise<void>): Promise<void>;
  remove(): Promise<void>;
}

describe('No secret appears in logs, responses or output', function () {
  this.timeout(240_000);
  const place = temporaryFolder();

  const places: Readonly<Record<string, () => Promise<Place>>> = {
    SQLite: async () => {
      const { default: Database } = await import('better-sqlite3');
      await writeFile(place('here'), '');
      const file = place('portico.db');
      const say = (statement: string) => {
        const database = new Database(file);
        database.exec(statement);
        database.close();
      };
      return {
        url: `sqlite:${file}`,
        contents: async () => {
          const files = (await readdir(place())).filter((name) => name.startsWith('portico.db'));
          return (await Promise.all(files.map((name) => readFile(place(name), 'latin1')))).join('');
        },
        whileBroken: async (act) => {
          say('alter table reviews rename to elsewhere');
          await act();
          say('alter table elsewhere rename to reviews');
        },
        remove: async () => undefined,
      };
    },
    PostgreSQL: async () => {
      const database = await freshDatabase();
      const network = await Network.to(database.url);
      const url = new URL(network.through(database.url));
      url.password = canaries.databasePassword;
      return {
        url: url.href,
        contents: async () => {
          const tables = await database.query(
            "select tablename from pg_tables where schemaname not in ('pg_catalog', 'information_schema')",
          );
          const rows = tables.map(({ tablename }) => database.query(`select * from ${tablename}`));
          return JSON.stringify(await Promise.all(rows));
        },
        whileBroken: async (act) => {
          await database.query('alter table reviews rename to elsewhere');
          await act();
          await database.query('alter table elsewhere rename to reviews');
          await network.refuse();
          await act();
          await network.pass();
        },
        remove: async () => {
          await network.close();
          await database.drop();
        },
      };
    },
  };

  it('while a server runs', async () => {
    for (const [name, newPlace] of Object.entries(places)) {
      const [kept, stripe] = [await newPlace(), await StripeProcess.start()];
      const opsUrl = `http://127.0.0.1:${await freePort()}`;
      const eventsUrl = `http://127.0.0.1:${await freePort()}/provider-events`;
      let server: Server | undefined;
      try {
        server = await startServer({
          DATABASE_URL: kept.url,
          ...(name === 'PostgreSQL' && {
            DATABASE_REPLICA_URLS: `postgres://shop:${canaries.replicaPassword}@127.0.0.1:1/shop`,
          }),
          LOG_LEVEL: 'trace',
          OPS_PORT: new URL(opsUrl).port,
          PAYMENT_PROVIDER: 'stripe',
          STRIPE_SECRET_KEY: canaries.stripeKey,
          STRIPE_API_BASE: stripe.url,
          STRIPE_WEBHOOK_SECRETS: `${canaries.webhookSecret},${canaries.otherWebhookSecret}`,
          PROVIDER_EVENTS_PORT: new URL(eventsUrl).port,
          PAYMENT_TIMEOUT_MS: '500',
        });
        const { answers, tokens } = await tryEverything(server.client, stripe, kept);
        answers.push(...(await sendEvents(eventsUrl)));
        const pages = await Promise.all(
          ['/metrics', '/docs', '/openapi.json', '/readyz', '/livez'].map(async (path) =>
            (await fetch(`${opsUrl}${path}`)).text(),
          ),
        );
        const { program } = server;
        await program.printed(/the-last-request/, { on: 'errors' });
        program.signal('SIGTERM');
        expect(await program.ended()).to.equal(0);
        expect(answers.length).to.be.greaterThan(30);
        expect(program.errors).to.include('A request failed.').and.include('"level":30');
        const everything = {
          'the log': program.errors + program.output,
          'an answer': answers.join('\n'),
          'a page': pages.join('\n'),
          'the database': await kept.contents(),
        };
        expect(everything['the database']).to.include('Canary tea');
        const secrets = { ...canaries, operatorKey: `${server.client.token}`, ...tokens };
        for (const [where, text] of Object.entries(everything)) {
          for (const [what, secret] of Object.entries(secrets)) {
            expect(text.includes(secret), `${what} in ${where}: ${around(text, secret)}`).to.equal(false);
          }
        }
      } finally {
        await server?.program.kill();
        await stripe.stop();
        await kept.remove();
      }
    }
  });

  it('when a start fails because of them', async () => {
    // `canaries.store.test.ts` has every setting.
    const { url, drop } = await freshDatabase();
    await drop();
    const gone = new URL(url);
    gone.password = canaries.databasePassword;
    const environment = { ...serverSettings, LOG_LEVEL: 'trace', DATABASE_URL: gone.href };
    const program = new Program('bootstrap/main.mjs', { environment });
    expect(await program.ended()).to.equal(1);
    const said = program.errors + program.output;
    expect(said).to.match(/^portico: /);
    for (const secret of Object.values(canaries)) expect(said).not.to.include(secret);
  });
});

/** The text before a secret. */
const around = (text: string, secret: string): string => {
  const at = text.indexOf(secret);
  return at < 0 ? '' : text.slice(Math.max(0, at - 200), at + secret.length + 20);
};

/** Sends an event with each secret, with none, and with one that is sent in place of a signature. @returns the responses */
const sendEvents = async (url: string): Promise<readonly string[]> => {
  const { webhookSecret, otherWebhookSecret, clientSecret } = canaries;
  const object = { id: 'pi_1', client_secret: clientSecret };
  const body = JSON.stringify({ type: 'payment_intent.succeeded', data: { object } });
  const signatures = [webhookSecret, otherWebhookSecret, 'whsec_forged'].map((secret) =>
    signatureOf(body, [secret], Date.now()),
  );
  const responses: string[] = [];
  for (const signature of [...signatures, webhookSecret]) {
    const headers = { 'Stripe-Signature': signature };
    const response = await fetch(url, { method: 'POST', headers, body });
    responses.push(`${response.status} ${JSON.stringify([...response.headers])} ${await response.text()}`);
  }
  expect(responses.map((response) => response.slice(0, 3))).to.deep.equal(['204', '204', '401', '401']);
  return responses;
};

/**
 * Sends secrets in every place that a client can put them, correct and wrong.
 * @returns the responses, except those that show a new token, and these tokens
 */
const tryEverything = async (
  operator: Client,
  stripe: StripeProcess,
  { whileBroken }: Pick<Place, 'whileBroken'>,
) => {
  const answers: string[] = [];
  const note = async (
    answer: Promise<{ readonly headers: Headers; readonly text: string; readonly body: Json }>,
  ) => {
    const { headers, text, body } = await answer;
    answers.push(JSON.stringify([...headers]) + text);
    return body?.data;
  };
  const user = await note(
    operator.post('/v1/users', { email: 'ada@example.com', name: 'Ada', role: 'admin' }),
  );
  const issued = await operator.post('/v1/api-keys', { user_id: user.id, name: 'Canary' });
  const once = { 'Idempotency-Key': randomUUID() };
  const again = { user_id: user.id, name: 'Canary again' };
  const second = await operator.post('/v1/api-keys', again, once);
  await note(operator.post('/v1/api-keys', again, once));
  const tokens = { token: issued.body.data.token, secondToken: second.body.data.token };
  const person = new Client(() => operator.base, tokens.token);

  const tea = { name: 'Canary tea', price: { amount: 350, currency: 'EUR' } };
  const product = await note(person.post('/v1/products', tea));
  const newOrder = () => note(person.post('/v1/orders', { product_id: product.id, quantity: 1 }));
  const pay = async (method: string, key: string = randomUUID()) => {
    const payment = { order_id: (await newOrder()).id, payment_method: method };
    await note(person.post('/v1/payments', payment, { 'Idempotency-Key': key }));
  };
  for (const method of ['pm_card_visa', canaries.card, canaries.cardToken]) await pay(method);
  for (const fault of [{ stall: 1, stallMilliseconds: 1_000 }, { fail: 1 }, { drop: 1 }]) {
    await stripe.setNetworkFaults(fault);
    await pay(canaries.card);
  }
  await stripe.reset();
  const wrongPlace = { order_id: canaries.card, payment_method: [canaries.card] };
  await note(person.post('/v1/payments', wrongPlace, { 'Idempotency-Key': randomUUID() }));

  const secrets = [tokens.token, `${operator.token}`, canaries.jwt, canaries.stripeKey, canaries.bearer];
  for (const secret of secrets) {
    const wire = async (line: string, headers: readonly string[], body = '') => {
      const connection = await Wire.open(operator.base);
      const text = body === '' ? requestText(line, headers) : jsonText(line, headers, body);
      const { headers: answered, text: said } = await connection.write(text).answer();
      connection.destroy();
      answers.push(JSON.stringify([...answered]) + said);
    };
    const me = credential(person);
    await wire('GET /v1/products', [`Authorization: Bearer ${secret}x`]);
    await wire('GET /v1/products', [`Authorization: Basic ${secret}`]);
    await wire('GET /v1/products', [`X-Api-Key: ${secret}`, `Cookie: session=${secret}`]);
    await wire(`GET /v1/products?token=${secret}`, [me]);
    await wire(`GET /v1/products?cursor=${secret}`, [me]);
    await wire(`GET /v1/products/${secret}`, [me]);
    await wire(`GET /v1/${secret}`, [me]);
    await wire(`${secret} /v1/products HTTP/1.1`, [me]).catch(() => undefined);
    await wire('GET /v1/products', [me, `If-None-Match: "${secret}"`]);
    await wire('POST /v1/products', [me], JSON.stringify({ ...tea, price: secret, status: secret }));
    await wire('POST /v1/products', [me], `{"name": ${secret}}`);
    await wire('POST /v1/products', [me, 'Content-Encoding: gzip'], '{}');
  }
  // These errors show the value unless it has the form of a credential. An operator's key may have another form.
  for (const secret of [tokens.token, canaries.jwt, canaries.stripeKey]) {
    await note(person.get('/v1/products', { 'X-Request-Id': secret }));
    await note(person.post('/v1/products', { ...tea, [secret]: 1 }));
    await note(person.post('/v1/products', tea, { 'Idempotency-Key': secret }));
    await pay('pm_card_visa', secret);
  }
  // Beside other letters, digits and `_`, also the operator's key, which has no form and is sent by another caller.
  for (const secret of [tokens.token, canaries.jwt, canaries.stripeKey, `${operator.token}`]) {
    for (const hidden of [
      `key_${secret}`,
      `retry${secret}`,
      `7${secret}`,
      `${secret}_2`,
      `_${secret}0`,
      secret,
    ]) {
      await note(person.get('/v1/products', { 'X-Request-Id': hidden }));
      await note(person.post('/v1/products', { ...tea, [hidden]: 1 }));
      const { status } = await person.post('/v1/products', tea, { 'Idempotency-Key': hidden });
      expect(status, hidden).to.equal(400);
    }
  }
  await note(operator.post('/v1/products', tea, { 'Idempotency-Key': `${operator.token}` }));

  await whileBroken(async () => {
    await note(person.get('/v1/reviews'));
    await note(person.get('/v1/reviews', { 'X-Request-Id': tokens.token }));
    await pay(canaries.card).catch(() => undefined);
  });
  await until(
    () => person.get('/v1/products', { 'X-Request-Id': 'the-last-request' }),
    ({ status }) => status === 200,
  );
  return { answers, tokens };
};
