import { expect } from 'chai';
import { latest, versions } from '#adapters/http/versions.ts';
import { type Role, roles, type Scope, scopes } from '#domain/access.ts';
import { type ApiResponse, Client } from '../support/client.ts';
import { type Conformance, conformanceTo } from '../support/conformance.ts';
import { Service } from '../support/service.ts';
import { type Request, Samples, type Send } from './samples.ts';
import { type Declared, declaredIn, startWith, type Table } from './table.ts';

/** The table of the API. */
export const right: Table = versions[latest];

/** Changes what is sent, or what is received, as if a route were wrong. */
export type Fault = (send: Send) => Send;

interface Exchange {
  readonly request: Request;
  readonly response: ApiResponse;
}

/** Bounds how long a resource may take to reach a state, in simulated milliseconds. */
const preparationMs = 60_000;

/** A service on memory for the rules that every route keeps, with clients of each role and scope. */
export class RouteShop {
  readonly declared: readonly Declared[];
  readonly samples: Samples;
  readonly conform: Conformance;
  readonly #table: Table;
  readonly #service: Service;
  readonly #fault: Fault;
  readonly #successes = new Map<string, Promise<Exchange>>();
  readonly #people = new Map<string, Promise<Send>>();

  /**
   * @param table by default that of the API
   * @param fault by default none
   * @param origin another shop, whose service and samples it shares
   */
  constructor(table: Table = right, fault: Fault = (send) => send, origin?: RouteShop) {
    this.#table = table;
    this.#fault = fault;
    this.#service =
      origin === undefined ? new Service({ PROVIDER_EVENTS_POLL_MS: '100' }, 'memory') : origin.#service;
    this.declared = origin?.declared ?? declaredIn(table);
    this.conform = origin?.conform ?? conformanceTo(this.declared);
    // Samples are right, whatever is wrong.
    const admin = this.#client(() => this.#service.operator.token);
    this.samples =
      origin?.samples ??
      new Samples(this.declared, admin, (read, condition) =>
        this.#service.until(read, condition, preparationMs),
      );
  }

  /** The same service as clients see it whose requests or responses go wrong. */
  withFault(fault: Fault): RouteShop {
    return new RouteShop(this.#table, fault, this);
  }

  open(): Promise<void> {
    return startWith(this.#table, () => this.#service.startInSimulatedTime());
  }

  close(): Promise<void> {
    return this.#service.end();
  }

  /** Sends as an administrator with every scope. */
  readonly admin: Send = (request) => this.with(this.#service.operator.token)(request);

  /** A request of an administrator that has succeeded, and its response. */
  success(operation: Declared): Promise<Exchange> {
    const known = this.#successes.get(operation.target) ?? this.#succeed(operation);
    this.#successes.set(operation.target, known);
    return known;
  }

  async #succeed(operation: Declared): Promise<Exchange> {
    const request = await this.samples.request(operation);
    const sent = { ...request, headers: { ...request.headers, 'X-Request-Id': 'mine' } };
    const response = await this.admin(sent);
    expect(response.status, response.text).to.equal(operation.route.responder.status);
    return { request: sent, response };
  }

  /** Sends with this credential. */
  with(token: string | undefined): Send {
    return this.#fault(this.#client(() => token));
  }

  /** Sends as a user of this role with every scope of it. */
  role(role: Role): Promise<Send> {
    return this.#person(role, role);
  }

  /** Sends as an administrator with every other scope. */
  without(scope: Scope): Promise<Send> {
    const others = scopes.filter((one) => one !== scope);
    return this.#person(`without ${scope}`, 'admin', others);
  }

  /** Sends as an administrator with this scope alone. */
  only(scope: Scope): Promise<Send> {
    return this.#person(`only ${scope}`, 'admin', [scope]);
  }

  #person(name: string, role: Role, given?: readonly Scope[]): Promise<Send> {
    const known =
      this.#people.get(name) ?? this.#service.person(role, given).then(({ token }) => this.with(token));
    this.#people.set(name, known);
    return known;
  }

  #client(token: () => string | undefined): Send {
    return ({ method, address, body, headers }) =>
      new Client(() => this.#service.url, token(), this.conform).send(method, address, body, headers);
  }
}

/** The roles below the least one of an operation, and the others. */
export const rolesAround = ({ 'x-required-role': least }: Declared) => ({
  below: roles.slice(0, roles.indexOf(least)),
  above: roles.slice(roles.indexOf(least)),
});
