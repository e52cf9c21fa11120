// The entry `portico/testing`. It is in `bootstrap`, because it connects the application with adapters.
import { showFields } from '#adapters/http/v1/shown-fields.ts';
import { sandboxProvider } from '#adapters/payment/sandbox/provider.ts';
import { openMemory } from '#adapters/persistence/memory/open.ts';
import { secretBox } from '#adapters/secrets/secret-box.ts';
import { randomSecret, temporaryKeys } from '#adapters/secrets/secret-keys.ts';
import { receiverGuard } from '#adapters/webhooks/receiver-guard.ts';
import { createApplication, type Decorate, type Durations } from '#application/application.ts';
import type { PaymentProvider } from '#application/ports/payment-provider.ts';
import type { Caller } from '#application/preconditions.ts';
import type { UseCase } from '#application/use-case.ts';
import type { WebhookPorts } from '#application/webhooks/ports.ts';
import { Role, type Scope } from '#domain/access.ts';
import { Instant } from '#domain/instant.ts';
import type { Order } from '#domain/order.ts';
import type { Payment } from '#domain/payment.ts';
import { Product, type ProductDetails } from '#domain/product.ts';
import { Quantity } from '#domain/quantity.ts';
import type { Id } from '#domain/resource.ts';
import { User } from '#domain/user.ts';
import { asDeclared } from './declared.ts';

interface Options {
  /** The time at which the shop opens; by default noon on 1 March 2026, in UTC. */
  readonly now?: Instant;
  /** Wraps use cases in the rules under test. */
  readonly decorate?: Decorate;
  /** By default the sandbox: `tok_ok` pays, `tok_declined` is declined. */
  readonly provider?: PaymentProvider;
  /** Overrides the lease (30 s), the age for the reconciler (1 min) and the lifetime of an order (24 h), in milliseconds. */
  readonly durations?: Partial<Durations>;
}

/** Details of a product, its stock as a decimal number; null when it is not counted. */
interface NewProduct extends Partial<Omit<ProductDetails, 'stock'>> {
  readonly stock?: number | null;
}

const minute = 60_000;
const noon = Instant.at(Date.UTC(2026, 2, 1, 12));
const defaults: Durations = { lease: 30_000, reconcileAfter: minute, orderLifetime: 24 * 60 * minute };
const tea: ProductDetails = { name: 'Tea', price: { amount: 450, currency: 'EUR' }, ...Product.defaults };

/** Ids in the form of any other, which ascend by one. */
const countingIds = () => {
  let count = 0;
  return <I extends Id>(): I => {
    count += 1;
    return `01900000-0000-7000-8000-${count.toString(16).padStart(12, '0')}` as I;
  };
};

/** A clock that stands still until the test advances it. */
const virtualClock = (start: Instant) => {
  let now = start;
  return {
    now: (): Instant => now,
    advance: (milliseconds: number): void => {
      now = Instant.plus(now, milliseconds);
    },
  };
};

/** Of this type, so that a project that installs the package needs no types of the composition. */
const webhookPorts = (): WebhookPorts => ({
  sender: receiverGuard({ allowed: [] }),
  box: secretBox(temporaryKeys()),
  randomSecret,
});

/** Opens a shop on the memory store, with a virtual clock, predictable ids, and a caller of each role. */
export const testShop = async ({ now = noon, decorate, provider, durations }: Options = {}) => {
  const { unitOfWork: store, sandboxLedger } = await openMemory();
  const newId = countingIds();
  const clock = virtualClock(now);
  const ports = {
    ...{
      unitOfWork: store,
      clock,
      newId,
      showFields,
      provider: provider ?? sandboxProvider(sandboxLedger, clock),
    },
    webhooks: webhookPorts(),
    mintToken: (id: Id) => ({ token: `token of ${id}`, secretHash: `hash of ${id}` }),
  };
  const application = createApplication(ports, { ...defaults, ...durations }, decorate);
  const { useCases, idempotency, backgroundJobs, unitOfWork } = application;

  /** A user with a key for all scopes of their role, or for these scopes only. */
  const newCaller = async (role: Role, scopes: readonly Scope[] = Role.scopes(role)): Promise<Caller> => {
    const id = newId<User['id']>();
    const user = User.create(id, { email: `${id}@example.com`, name: 'A user', role }, clock.now());
    await unitOfWork.run(({ users }) => users.add(user));
    return { userId: id, role, scopes, keyId: newId() };
  };

  /**
   * Runs a use case; a process runs under a new idempotency key.
   * @throws the error that rejects it; another one when the use case does not declare errors of that kind
   */
  const run = <I, R>(useCase: UseCase<I, R>, caller: Caller, input: NoInfer<I>): Promise<R> =>
    asDeclared(useCase, async () => {
      if (useCase.kind === 'query') return unitOfWork.read(useCase(caller, input));
      if (useCase.kind === 'command') return unitOfWork.run(useCase(caller, input));
      const { userId, role } = caller;
      const request = { userId, role, key: newId(), fingerprint: JSON.stringify(input) };
      const result = await idempotency.process(request, useCase(caller, input), () => '');
      if ('replayed' in result) throw new Error('A new key has no stored response.');
      if ('rejected' in result.outcome) throw result.outcome.rejected;
      return result.outcome.done;
    });

  const customer = await newCaller('customer');
  const staff = await newCaller('staff');
  const admin = await newCaller('admin');

  /** A product with defaults for all its fields: tea for 4.50 EUR, its stock not counted. */
  const newProduct = ({ stock = null, ...details }: NewProduct = {}): Promise<Product> =>
    run(useCases.products.create, staff, {
      ...tea,
      ...details,
      stock: stock === null ? null : Quantity.of(stock),
    });

  /** @param quantity as a decimal number */
  const placeOrder = (caller: Caller, { id: productId }: Product, quantity = 1): Promise<Order> =>
    run(useCases.orders.place, caller, { productId, quantity: Quantity.of(quantity) });

  const pay = (caller: Caller, { id: orderId }: Order, paymentMethod = 'tok_ok'): Promise<Payment> =>
    run(useCases.payments.pay, caller, { orderId, paymentMethod });

  return {
    ...{ useCases, idempotency, backgroundJobs, unitOfWork, ports, newId },
    ...{ customer, staff, admin, newCaller },
    ...{ run, newProduct, placeOrder, pay },
    now: clock.now,
    /** Advances the clock by milliseconds. Background jobs, such as the expiry of orders, run only when a test calls them. */
    advance: clock.advance,
  };
};
