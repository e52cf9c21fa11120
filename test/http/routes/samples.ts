import { randomUUID } from 'node:crypto';
import { kindIn } from '#adapters/http/routing/collections.ts';
import { exampleId } from '#adapters/wire/codecs.ts';
import type { ApiResponse, Json } from '../support/client.ts';
import { nowhere } from '../support/shop.ts';
import { receiverUrl } from '../support/webhooks.ts';
import { preparedIds, preparedItems } from './preparations.ts';
import { bodySchemaOf, collectionOf, contentOf, type Declared, isOfItem, queryNamesOf } from './table.ts';
import { UniqueFields } from './unique-fields.ts';

export interface Request {
  readonly method: string;
  /** The path and the query string. */
  readonly address: string;
  /** Sent as JSON, unless it is a text or bytes. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export type Send = (request: Request) => Promise<ApiResponse>;

type Until = (read: () => Promise<Json>, condition: (value: Json) => boolean) => Promise<Json>;

/** How many resources of a kind stay that can be deleted: a collection may have a limit. */
const maxDeletable = 5;

/** How many rows a list has at least, so that it has several pages. */
const rowsOfList = 3;

/**
 * Requests that succeed, derived from the declarations: bodies from their examples, whose ids stand for resources that are created by
 * the examples of other routes. What no declaration states is in `preparations.ts`.
 */
export class Samples {
  readonly #declared: readonly Declared[];
  readonly #send: Send;
  readonly #unique: UniqueFields;
  /** The addresses that reads share, by path. */
  readonly #read = new Map<string, Promise<string>>();
  readonly #lists = new Map<string, Promise<string>>();
  /** The addresses of what can be deleted, by collection, the oldest first. */
  readonly #deletable = new Map<string, string[]>();

  /** Polls until a response satisfies the condition. */
  readonly until: Until;

  /** @param send as an administrator */
  constructor(declared: readonly Declared[], send: Send, until: Until) {
    this.#declared = declared;
    this.#send = send;
    this.until = until;
    this.#unique = new UniqueFields(send, (operation) => this.#onNewResources(operation));
  }

  /** A request of the right form to a resource that does not exist. */
  form({ method, path, parameters, ...rest }: Declared): Request {
    const required = parameters.filter((one) => one.in === 'query' && one.required);
    const query = new URLSearchParams(
      Object.fromEntries(required.map(({ name, schema }) => [name, `${schema.examples[0]}`])),
    );
    const address = path.replaceAll(/\{\w+\}/g, nowhere);
    return {
      ...{ method, address: required.length === 0 ? address : `${address}?${query}` },
      ...(rest.requestBody && { body: rest.requestBody.content['application/json'].example }),
      headers: rest.route.idempotencyKey === 'required' ? { 'Idempotency-Key': randomUUID() } : {},
    };
  }

  /** A request that succeeds, once. A write has resources of its own. */
  async request(operation: Declared): Promise<Request> {
    // What has to be sent for this comes first, because it may make room in the collections.
    const vary = await this.#unique.variation(operation);
    return vary(await this.#onNewResources(operation));
  }

  /** The address of a resource that nothing changes, or of a list in one. */
  read(path: string): Promise<string> {
    const address = this.#read.get(path) ?? this.address(path).then((created) => this.#keep(created));
    this.#read.set(path, address);
    return address;
  }

  /** The address of a new resource, or of a list in one: `/v1/orders/{order_id}/items`. */
  async address(path: string): Promise<string> {
    const end = path.lastIndexOf('}') + 1;
    return end === 0 ? path : `${await this.#newItem(collectionOf(path.slice(0, end)))}${path.slice(end)}`;
  }

  /** @throws when the request of an operation does not succeed */
  async succeed(operation: Declared, change: (body: Json) => Json = (body) => body): Promise<ApiResponse> {
    const request = await this.request(operation);
    const sent = { ...request, ...(request.body !== undefined && { body: change(request.body) }) };
    const response = await this.#send(sent);
    if (response.status < 300) {
      await this.#makeRoom(operation, response);
      return response;
    }
    throw new Error(
      `The example of ${operation.target} does not succeed: ${response.text}. If it needs resources in another state, prepare them in test/http/routes/preparations.ts.`,
    );
  }

  /** The address of a list with three rows at least, where a list can have so many. */
  list(operation: Declared): Promise<string> {
    const { target } = operation;
    const address = this.#lists.get(target) ?? this.#fill(operation).then((filled) => this.#keep(filled));
    this.#lists.set(target, address);
    return address;
  }

  async #fill(operation: Declared): Promise<string> {
    const { path } = operation;
    const create = this.find(`POST ${path}`) ?? this.#creatorOf(operation);
    const fill = (body: Json): Json => ({ ...this.#filtered(operation, create), ...body });
    const isOwn = create?.path === path;
    let address = isOwn ? await this.address(path) : path;
    for (let count = 0; count < rowsOfList; count += 1) {
      if (create === undefined || path in preparedItems) await this.#newItem(path);
      else if (isOwn) await this.succeed({ ...create, path: address }, fill);
      else {
        const row = (await this.succeed(create, fill)).body.data;
        address = path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => row[name]);
      }
    }
    return address;
  }

  find(target: string): Declared | undefined {
    return this.#declared.find((one) => one.target === target);
  }

  /** @throws when there is no such route */
  at(target: string): Declared {
    const operation = this.find(target);
    if (operation === undefined) throw new Error(`There is no route ${target}.`);
    return operation;
  }

  async #onNewResources(operation: Declared): Promise<Request> {
    const form = this.form(operation);
    const [, query = ''] = form.address.split('?');
    const { method, path } = operation;
    const address = await (method === 'GET' ? this.read(path) : this.address(path));
    const ids = (await preparedIds[`${method} ${path}`]?.(this, this.#send)) ?? {};
    return {
      ...form,
      address: query === '' ? address : `${address}?${query}`,
      ...(form.body !== undefined && { body: await this.#withIds(form.body, ids) }),
    };
  }

  /** The body with the ids of new resources in place of those of examples. */
  async #withIds(body: unknown, ids: Readonly<Record<string, string>>): Promise<unknown> {
    // No test reaches beyond this machine, and an endpoint is sent to at once.
    let text = JSON.stringify(body).replaceAll('https://example.com/webhooks', receiverUrl);
    for (const { path } of this.#declared.filter(isOfItem)) {
      const kind = kindIn(path.split('/').at(-2) ?? '');
      if (!text.includes(exampleId(kind))) continue;
      const id = ids[kind] ?? (await this.#newItem(collectionOf(path))).split('/').at(-1) ?? '';
      text = text.replaceAll(exampleId(kind), id);
    }
    return JSON.parse(text);
  }

  /** @returns the address of a new resource in a collection, or of one that it has where no request creates one */
  async #newItem(collection: string): Promise<string> {
    const prepare = preparedItems[collection];
    if (prepare !== undefined) return prepare(this, this.#send);
    const create = this.find(`POST ${collection}`);
    if (create !== undefined) return `${(await this.succeed(create)).headers.get('Location')}`;
    const address = await this.address(collection);
    const { body } = await this.#send({ method: 'GET', address });
    const [row] = body?.data ?? [];
    if (row !== undefined) return `${address}/${row.id}`;
    throw new Error(
      `No request creates what is in ${collection}, and nothing is: prepare it in test/http/routes/preparations.ts.`,
    );
  }

  /** Fields that administrators can write and a list is filtered by, because examples are of the least role. */
  #filtered(list: Declared, create: Declared | undefined): Json {
    const fields = Object.entries<Json>(create === undefined ? {} : bodySchemaOf(create).properties);
    const filters = queryNamesOf(list);
    const own = fields.filter(([name, schema]) => filters.includes(name) && schema['x-required-role']);
    return Object.fromEntries(own.map(([name, { examples }]) => [name, this.#unique.variant(examples[0])]));
  }

  #keep(address: string): string {
    for (const [collection, all] of this.#deletable)
      this.#deletable.set(
        collection,
        all.filter((one) => !address.startsWith(one)),
      );
    return address;
  }

  /** Deletes the oldest of a collection, unless something needs it. */
  async #makeRoom({ path }: Declared, { status, headers }: ApiResponse): Promise<void> {
    const canBeDeleted = this.#declared.some(
      (one) => one.method === 'DELETE' && collectionOf(one.path) === path,
    );
    if (status !== 201 || !canBeDeleted) return;
    const all = this.#deletable.get(path) ?? [];
    this.#deletable.set(path, all);
    all.push(`${headers.get('Location')}`);
    if (all.length > maxDeletable) await this.#send({ method: 'DELETE', address: `${all.shift()}` });
  }

  /** The route elsewhere that creates what a list has. */
  #creatorOf(list: Declared): Declared | undefined {
    const { title } = list.route.responder.view?.schema ?? {};
    const twin = this.#declared.find(
      (one) =>
        one !== list &&
        contentOf(one) === 'page' &&
        one.route.responder.view?.schema.title === title &&
        this.find(`POST ${one.path}`) !== undefined,
    );
    return twin && this.find(`POST ${twin.path}`);
  }
}
