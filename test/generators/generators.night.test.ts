import { copyFileSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { type Served, serve } from '../docs/served.ts';
import type { Json } from '../http/support/client.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { typeErrors } from '../support/type-errors.ts';
import { documentedCommands, installations, run } from './documented-commands.ts';
import { type LaterRelease, serveLaterRelease } from './later-release.ts';
import { listsOf, requestsOf, send } from './postman-collection.ts';

const key = 'an-operator-key-that-is-long-enough-for-all';

/** All that is emitted is one program, which includes the declarations of its libraries. */
const compilerOptions = {
  target: 'es2022',
  lib: ['es2022', 'dom', 'dom.iterable'],
  module: 'esnext',
  moduleResolution: 'bundler',
  types: [],
  strict: true,
  outDir: 'compiled',
};

const commands = documentedCommands();

describe('The generators of docs/api.md', function () {
  this.timeout(240_000);

  const place = temporaryFolder();
  let served: Served;
  let document: Json;
  let generated: ReadonlyMap<string, Promise<void>>;

  before(async () => {
    served = await serve({ ADMIN_API_KEY: key, SEED_DEMO: '0' });
    const text = await (await fetch(`${served.url}/openapi.json`)).text();
    document = JSON.parse(text);
    writeFileSync(place('openapi.json'), text);
    writeFileSync(place('package.json'), '{ "type": "module" }');
    symlinkSync(join(installations.all, 'node_modules'), place('node_modules'));
    generated = new Map(
      commands.map((command) => [command.generator, run(command, installations.all, place())]),
    );
    await Promise.allSettled(generated.values());
  });
  after(() => served?.close());

  it('are of these packages and major versions', () => {
    const names = commands.map(({ generator }) => generator.replace(/(.)@(\d+)\..*/, '$1 $2'));
    expect(names).to.have.members([
      ...['@hey-api/openapi-ts 0', 'openapi-typescript 7', 'orval 7', 'orval 8'],
      ...['openapi-zod-client 1', 'openapi-to-postmanv2 6'],
    ]);
  });

  for (const { generator } of commands) {
    it(`${generator} accepts the served document`, () => generated.get(generator));
  }

  describe('emit code that', () => {
    it('compiles in strict mode, with its libraries', async () => {
      copyFileSync(join(import.meta.dirname, 'consumer.ts'), place('consumer.ts'));
      writeFileSync(place('tsconfig.json'), JSON.stringify({ compilerOptions, exclude: ['node_modules'] }));
      expect(await typeErrors(place(), ['-p', '.'])).to.equal('');
    });

    it('creates and lists products, with hey-api', async () => {
      const { callWithHeyApi } = await import(place('compiled/consumer.js'));
      const [created, ...found] = await callWithHeyApi(key, 'SEN-1');
      expect(found).to.deep.equal([created]);
    });

    it('orders one product, or several items, with hey-api', async () => {
      const { callWithHeyApi, orderWithHeyApi } = await import(place('compiled/consumer.js'));
      const [created] = await callWithHeyApi(key, 'SEN-3');
      expect(await orderWithHeyApi(created)).to.deep.equal([1, 2]);
    });

    it('creates and lists products, and checks the responses, with openapi-zod-client', async () => {
      const { callWithZod } = await import(place('compiled/consumer.js'));
      const [created, ...found] = await callWithZod(served.apiUrl, key, 'SEN-2');
      expect(found).to.deep.equal([created]);
    });

    it('accepts each example of the document, with openapi-zod-client', async () => {
      const { api } = await import(place('compiled/openapi-zod-client.js'));
      const endpoints: readonly Json[] = api.api;
      let examples = 0;
      for (const { method, path, parameters, response } of endpoints) {
        const { requestBody, responses } = document.paths[path.replaceAll(/:(\w+)/g, '{$1}')][method];
        const schema = parameters?.find(({ type }: Json) => type === 'Body')?.schema;
        const success: Json = Object.values(responses)[0];
        for (const [one, { content }] of [
          [schema, requestBody ?? {}],
          [response, success],
        ]) {
          const example = content?.['application/json'].example;
          if (example === undefined) continue;
          examples += 1;
          expect(one.safeParse(example).error?.issues, `${method} ${path}`).to.equal(undefined);
        }
      }
      expect(examples).to.be.greaterThan(40);
    });
  });

  describe('emit code that accepts one more field, status and type of event', () => {
    let laterRelease: LaterRelease;
    before(async () => {
      laterRelease = await serveLaterRelease(document);
    });
    after(() => laterRelease?.close());

    const requireLater = (orders: Json, events: Json): void => {
      expect(orders.data[0]).to.deep.include({ status: 'held', gift: { wrapped: true } });
      expect(events.data[0]).to.deep.include({ type: 'gift.sent', gift: { wrapped: true } });
      expect(events.data[0].data).to.deep.include({ wrapped: true });
    };

    it('with hey-api', async () => {
      const { client } = await import(place('compiled/hey-api/client.gen.js'));
      const { listOrders, listEvents } = await import(place('compiled/hey-api/index.js'));
      const { baseUrl } = client.getConfig();
      client.setConfig({ baseUrl: laterRelease.url });
      try {
        const orders = await listOrders({ throwOnError: true });
        requireLater(orders.data, (await listEvents({ throwOnError: true })).data);
      } finally {
        client.setConfig({ baseUrl });
      }
    });

    for (const version of ['orval-7', 'orval-8']) {
      it(`with ${version}`, async () => {
        const { listOrders, listEvents } = await import(place(`compiled/${version}/portico.js`));
        const { fetch: real } = globalThis;
        globalThis.fetch = (path, init) =>
          real(new URL(new URL(`${path}`, served.apiUrl).pathname, laterRelease.url), init);
        try {
          requireLater((await listOrders()).data, (await listEvents()).data);
        } finally {
          globalThis.fetch = real;
        }
      });
    }

    it('with openapi-zod-client', async () => {
      const { createApiClient } = await import(place('compiled/openapi-zod-client.js'));
      const api = createApiClient(laterRelease.url);
      requireLater(await api.listOrders(), await api.listEvents());
    });

    it('with Postman', async () => {
      const collection = JSON.parse(readFileSync(place('portico.postman_collection.json'), 'utf8'));
      const there = { ...collection, variable: [{ key: 'baseUrl', value: laterRelease.url }] };
      const [orders, events] = ['/v1/orders', '/v1/events'].map((path) => {
        const found = listsOf(there).find((request) => request.path === path);
        if (found === undefined) throw new Error(`The collection does not list ${path}.`);
        return send(there, found, key);
      });
      requireLater((await orders)?.body, (await events)?.body);
    });
  });

  describe('emit a Postman collection that', () => {
    let collection: Json;
    before(() => {
      collection = JSON.parse(readFileSync(place('portico.postman_collection.json'), 'utf8'));
    });

    it('has one request for each operation, with the address of the server', () => {
      const operations = Object.entries<Json>(document.paths).flatMap(([path, methods]) =>
        Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
      );
      const requests = requestsOf(collection).map(({ method, path }) => `${method} ${path}`);
      expect(requests).to.have.members(operations);
      expect(collection.variable).to.deep.equal([{ key: 'baseUrl', value: served.apiUrl }]);
    });

    it('lists each kind of resource, sent unchanged', async () => {
      const lists = listsOf(collection);
      expect(lists).to.have.length(16);
      for (const request of lists) {
        const { status, body } = await send(collection, request, key);
        expect(status, request.path).to.equal(200);
        expect(body.data, request.path).to.be.an('array');
      }
    });

    it('creates a product, sent unchanged', async () => {
      const [creation] = requestsOf(collection).filter(({ name }) => name === 'Create a product');
      if (creation === undefined) throw new Error('The collection creates no product.');
      const { status, body } = await send(collection, creation, key);
      expect([status, body.data.sku]).to.deep.equal([201, 'COF-ETH-500']);
    });
  });
});
