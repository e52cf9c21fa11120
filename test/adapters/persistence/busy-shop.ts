import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type Application, createApplication, type UseCases } from '#application/application.ts';
import { ApplicationError } from '#application/errors.ts';
import type { IdempotentResult } from '#application/idempotency/idempotency-record.ts';
import type { IdempotentRequest } from '#application/ports/idempotency.ts';
import type { RequestContext, StoreUnitOfWork } from '#application/ports/unit-of-work.ts';
import type { Caller } from '#application/preconditions.ts';
import type { Command, Outcome, Process } from '#application/use-case.ts';
import { Role } from '#domain/access.ts';
import { DomainError, type DomainErrorKind } from '#domain/errors.ts';
import type { Order, OrderItem } from '#domain/order.ts';
import type { Payment } from '#domain/payment.ts';
import { Quantity } from '#domain/quantity.ts';
import type { Refund } from '#domain/refund.ts';
import { scriptedProvider } from '../../application/provider.ts';
import { aProduct, aUser } from '../../contracts/samples.ts';
import { machineClock, newId } from '../../support/machine.ts';
import type { Random } from '../../support/random.ts';

/** Initial stock of each product. */
export const stocked = Quantity.of(150);

const times = { lease: 150, reconcileAfter: 60_000, orderLifetime: 0 };

type Attempting<T> = (
  process: Application,
  attempt: IdempotentRequest,
  context: RequestContext,
) => Promise<IdempotentResult<T>>;

/** The final response to a client, the same for every attempt with the same key. */
type OperationOutcome<T> = { readonly done: T } | { readonly rejected: DomainErrorKind };

const write = (outcome: Outcome<unknown>): string =>
  JSON.stringify('done' in outcome ? outcome : { rejected: outcome.rejected.kind });

/**
 * A shop with two products and many clients, which change its newest orders at random. Each attempt goes to one of several
 * processes with a short or long deadline, sometimes three times with the same key, and is retried until there is a response.
 */
export const openBusyShop = async (stores: readonly StoreUnitOfWork[], random: Random) => {
  const provider = scriptedProvider();
  const mintToken = () => ({ token: '', secretHash: '' });
  const surroundings = { clock: machineClock, newId, mintToken, provider: provider.port };
  const processes = stores.map((unitOfWork) => createApplication({ ...surroundings, unitOfWork }, times));
  const user = aUser({ role: 'admin' });
  const scopes = Role.scopes('admin');
  const caller: Caller = { userId: user.id, role: 'admin', scopes, keyId: newId() };
  const products = [aProduct({ stock: stocked }), aProduct({ stock: stocked })];
  await random.pick(stores).run(async (to) => {
    await to.users.add(user);
    await to.products.addAll(products);
  });

  const orders: Order[] = [];
  const items: OrderItem[] = [];
  const payments: Payment[] = [];
  /** Responses that differ although they have the same key. */
  const contradictions: string[] = [];
  const newest = <T>(all: readonly T[]): T | undefined => all.at(-1 - random.below(3));

  const command =
    <I, R>(useCase: (all: UseCases) => Command<I, R>, input: I): Attempting<R> =>
    ({ useCases, idempotency }, attempt, context) =>
      idempotency.command(attempt, useCase(useCases)(caller, input), write, context);

  const process =
    <I, R>(useCase: (all: UseCases) => Process<I, R>, input: I): Attempting<R> =>
    ({ useCases, idempotency }, attempt, context) =>
      idempotency.process(attempt, useCase(useCases)(caller, input), write, context);

  const persist = async (attempting: Attempting<unknown>, attempt: IdempotentRequest): Promise<string> => {
    for (;;) {
      const milliseconds = random.chance(0.2) ? random.between(1, 20) : 10_000;
      try {
        const context = { actor: user.id, deadline: performance.now() + milliseconds };
        const attempted = await attempting(random.pick(processes), attempt, context);
        return 'replayed' in attempted ? attempted.replayed : write(attempted.outcome);
      } catch (error) {
        if (error instanceof DomainError) return write({ rejected: error });
        if (!(error instanceof ApplicationError)) throw error;
        await pause(random.below(20));
      }
    }
  };

  const ask = async <T>(attempting: Attempting<T>): Promise<OperationOutcome<T>> => {
    const attempt = { userId: user.id, role: user.role, key: randomUUID(), fingerprint: '' };
    const copies = Array.from({ length: random.chance(0.2) ? 3 : 1 }, () => persist(attempting, attempt));
    const [received = '', ...others] = await Promise.all(copies);
    contradictions.push(
      ...others.filter((other) => other !== received).map((other) => `${received} ${other}`),
    );
    return JSON.parse(received);
  };

  const keep = async <T>(all: T[], received: Promise<OperationOutcome<T>>): Promise<void> => {
    const response = await received;
    if ('done' in response) all.push(response.done);
  };

  /** Performs a random operation on one of the newest orders, items or payments, if there is one. */
  const act = async (): Promise<unknown> => {
    const [order, item, payment] = [newest(orders), newest(items), newest(payments)];
    const ordered = { productId: random.pick(products).id, quantity: Quantity.of(random.between(1, 3)) };
    const expectedVersions = undefined;
    const deed = random.weighted({ place: 4, add: 4, change: 4, remove: 1, cancel: 1, pay: 3, refund: 3 });
    if (deed === 'place') return keep(orders, ask(command((all) => all.orders.place, ordered)));
    if (deed === 'refund') {
      if (payment === undefined) return;
      const amount = random.chance(0.5) ? {} : { amount: { amount: 450, currency: 'EUR' } };
      if (random.chance(0.3)) provider.declines();
      return ask<Refund>(
        process((all) => all.refunds.create, { paymentId: payment.id, ...amount, reason: null }),
      );
    }
    if (deed === 'change' || deed === 'remove') {
      if (item === undefined) return;
      const { id, orderId } = item;
      if (deed === 'remove')
        return ask(command((all) => all.orderItems.remove, { id, orderId, expectedVersions }));
      const { quantity } = ordered;
      return ask(command((all) => all.orderItems.change, { id, orderId, expectedVersions, quantity }));
    }
    if (order === undefined) return;
    const { id } = order;
    if (deed === 'add')
      return keep(items, ask(command((all) => all.orderItems.add, { orderId: id, ...ordered })));
    if (deed === 'cancel')
      return ask(command((all) => all.orders.change, { id, expectedVersions, status: 'canceled' }));
    if (random.chance(0.2)) random.chance(0.5) ? provider.declines() : provider.timesOut();
    return keep(payments, ask(process((all) => all.payments.pay, { orderId: id, paymentMethod: 'card' })));
  };

  return { act, products, placed: orders, contradictions };
};
