import { newKeyResource } from '#application/idempotency/idempotency-record.ts';
import type { IdempotencyRecord } from '#application/ports/idempotency.ts';
import type { Collections } from '#application/ports/repositories.ts';
import { scopes } from '#domain/access.ts';
import type { Address } from '#domain/address.ts';
import { ApiKey, type ApiKeyDetails } from '#domain/api-key.ts';
import { Capture } from '#domain/capture.ts';
import { Dispute } from '#domain/dispute.ts';
import { Erasure } from '#domain/erasure.ts';
import { eventTypePatterns } from '#domain/event.ts';
import type { EventId } from '#domain/event-id.ts';
import { Identity } from '#domain/identity.ts';
import { Instant } from '#domain/instant.ts';
import { Order, type OrderId, OrderItem } from '#domain/order.ts';
import { Payment } from '#domain/payment.ts';
import { Product, type ProductDetails } from '#domain/product.ts';
import { Quantity } from '#domain/quantity.ts';
import { Refund } from '#domain/refund.ts';
import { Review, type ReviewDetails } from '#domain/review.ts';
import { StockChange } from '#domain/stock-change.ts';
import { TaxRate } from '#domain/tax.ts';
import { User, type UserDetails } from '#domain/user.ts';
import { type WebhookAttempt, WebhookDelivery } from '#domain/webhooks/delivery.ts';
import { WebhookEndpoint, type WebhookEndpointId, type WebhookSecretId } from '#domain/webhooks/endpoint.ts';
import { EndpointPosition } from '#domain/webhooks/endpoint-position.ts';
import { newId } from '../support/machine.ts';

export const noon = Instant.at(Date.UTC(2026, 2, 1, 12));

/** @param milliseconds behind noon */
export const later = (milliseconds: number): Instant => Instant.plus(noon, milliseconds);

export const aUser = (details: Partial<UserDetails> = {}): User =>
  User.create(newId(), { email: `${newId()}@example.com`, name: 'Ada', role: 'customer', ...details }, noon);

export const aProduct = (details: Partial<ProductDetails> = {}): Product =>
  Product.create(
    newId(),
    {
      name: 'Tea',
      price: { amount: 450, currency: 'EUR' },
      ...Product.defaults,
      ...details,
    },
    noon,
  );

export const anApiKey = (owner: User, details: Partial<ApiKeyDetails> = {}): ApiKey =>
  ApiKey.issue(
    newId(),
    owner,
    { name: 'Laptop', scopes: ['products:read', 'orders:write'], expiresAt: null, ...details },
    'c0ffee',
    noon,
  );

const anIdentity = ({ id: userId }: User): Identity => {
  const [issuer, subject] = ['https://login.example', userId];
  return Identity.link(newId(), { userId, issuer, subject, key: JSON.stringify([issuer, subject]) }, noon);
};

const aStockChange = (product: Product): StockChange =>
  StockChange.apply(
    newId(),
    { ...product, stock: Quantity.of(8) },
    { change: Quantity.of(-0.5), reason: null },
    noon,
  ).change;

const aDispute = (payment: Payment): Dispute => {
  const { amount } = payment;
  return Dispute.open(
    newId(),
    payment,
    {
      ...{ amount, reason: 'fraudulent', status: 'needs_response' },
      ...{ evidenceDueAt: null, providerReference: 'dp_1' },
    },
    noon,
  );
};

/** An endpoint that has received one event. */
export const aWebhook = () => {
  const id = newId<WebhookEndpointId>();
  const secret = { id: newId<WebhookSecretId>(), hint: 'whsec_AbCd…', sealed: 'sealed' };
  const url = 'https://example.com/webhooks';
  const webhookEndpoint = WebhookEndpoint.create(
    id,
    { url, eventTypes: ['*'], description: null, ordering: 'parallel', payload: 'full' },
    secret,
    noon,
  );
  const webhookDelivery = WebhookDelivery.create(
    newId(),
    {
      ...{ endpointId: id, eventId: newId<EventId>(), eventType: 'order.created' as const },
      ...{ sequence: 1, trigger: 'event' as const },
    },
    noon,
  );
  return { webhookEndpoint, endpointPosition: EndpointPosition.begin(id, 0, noon), webhookDelivery };
};

const attempt: WebhookAttempt = { at: noon, durationMs: 15_000, statusCode: null, error: 'timed_out' };

/** A purchase that was paid, reviewed and refunded in part, with all resources that belong to it. */
export const aPurchase = (product = aProduct(), quantity = Quantity.of(2)) => {
  const user = aUser();
  const orderId = newId<OrderId>();
  const item = OrderItem.of(newId(), orderId, product, quantity, noon);
  const paying = Order.beginPayment(Order.place(orderId, user.id, [item], noon), noon);
  const order = Order.completePayment(paying, noon);
  const payment = Payment.succeed(Payment.begin(newId(), paying, 'sandbox', noon), 'ch_1', noon);
  const amount = { amount: 100, currency: order.total.currency };
  const refund = Refund.begin(newId(), payment, { amount, reason: null }, noon);
  const details: ReviewDetails = { rating: 5, title: null, body: null };
  const review = Review.write(newId(), order, item, details, noon);
  return {
    ...{ user, product, order, item, payment, refund, review, apiKey: anApiKey(user) },
    capture: Capture.begin(newId(), payment, amount, noon),
    dispute: aDispute(payment),
    identity: anIdentity(user),
    erasure: Erasure.begin(newId(), user.id, noon),
    stockChange: aStockChange(product),
    ...aWebhook(),
  };
};

export type Purchase = ReturnType<typeof aPurchase>;

/** Emoji with joiners, right-to-left, combining marks, quotes, line ends, what looks like a placeholder. */
export const awkward = '👩‍👩‍👧 שלום é e\u0301 ﷽ \u202e "\'\\%_$1?1 --; \r\n\t \u{10ffff}\u0001';

/** As many names and as long values as there can be. */
const fullMetadata = Object.fromEntries(
  Array.from({ length: 10 }, (_, index) => [`name-${index}`, awkward.slice(0, 40)]),
);

const fullAddress: Address = {
  ...{ name: awkward, company: awkward, line1: awkward, line2: awkward, postalCode: '1010', city: awkward },
  ...{ region: awkward, country: 'AT', phone: '+43 1 000 00 00' },
};

const most = { amount: Number.MAX_SAFE_INTEGER, currency: 'JPY' };

/** A purchase with a value in every field, many of them at their limits. */
export const aFullPurchase = (): Purchase => {
  const sku = `${awkward} ${newId().slice(-12)}`;
  const stock = Quantity.of(1_000_000);
  // Texts from before the rules for visible ends and normal forms stay stored as they are.
  const product: Product = {
    ...aProduct({
      price: most,
      stock,
      description: awkward,
      quantityStep: Quantity.of(0.001),
      taxRate: TaxRate.max,
    }),
    ...{ name: awkward, sku, metadata: fullMetadata },
    imageUrls: Array.from({ length: 10 }, (_, index) => `https://example.com/${index}?${'x'.repeat(2000)}`),
    tags: Array.from({ length: 20 }, (_, index) => `${'t'.repeat(37)}-${index}`),
  };
  const { user, order, item, payment, refund, review, ...others } = aPurchase(product, Quantity.of(0.001));
  const failure = { code: awkward, message: awkward };
  const failed = Refund.fail({ ...refund, reason: awkward, amount: most }, failure, later(120));
  const rights = { scopes: [...scopes], expiresAt: later(1) };
  const apiKey = ApiKey.use(anApiKey({ ...user, role: 'admin' }, rights), later(120));
  return {
    ...others,
    user: { ...user, status: 'erased', externalId: `user ${newId()}`, metadata: fullMetadata },
    product,
    order: {
      ...{ ...order, paying: true, externalId: `order ${newId()}`, metadata: fullMetadata, note: awkward },
      ...{ shippingAddress: fullAddress, billingAddress: fullAddress, shippingTaxRate: TaxRate.of(20) },
      ...{ shipping: { ...most, amount: most.amount - 1 }, discount: most },
      taxedItems: [{ rate: TaxRate.of(0.001), gross: 1 }],
      unlockedAt: later(1),
      paidAt: later(2),
    },
    item: { ...item, total: most, productName: awkward, counted: true },
    payment: {
      ...{ ...payment, amount: most, refunded: most, refunding: most, failure, metadata: fullMetadata },
      ...{ released: most, disputed: most, captureMethod: 'manual' },
      ...{ actionExpiresAt: later(60_000), captureBefore: later(604_800_000), succeededAt: later(2) },
    },
    refund: {
      ...{ ...failed, providerReference: awkward, metadata: fullMetadata },
      ...{ origin: 'provider', succeededAt: later(3) },
    },
    capture: {
      ...{ ...others.capture, amount: most, status: 'failed', providerReference: awkward, failure },
      succeededAt: later(2),
    },
    dispute: {
      ...{ ...others.dispute, amount: most, reason: awkward, status: 'lost' },
      ...{ evidenceDueAt: later(120), providerReference: awkward, closedAt: later(121) },
    },
    review: { ...review, title: awkward, body: awkward },
    apiKey: { ...apiKey, name: awkward, createdBy: newId(), publishable: true, rateLimit: 1_000_000 },
    stockChange: { ...others.stockChange, reason: awkward, stockAfter: Quantity.max },
    erasure: Erasure.complete(others.erasure, later(120)),
    webhookEndpoint: {
      ...WebhookEndpoint.addSecret(
        others.webhookEndpoint,
        { id: newId(), hint: awkward, sealed: awkward },
        60,
        noon,
      ),
      ...{ url: `https://example.com/${'x'.repeat(2000)}`, eventTypes: eventTypePatterns.slice(0, 50) },
      ...{ description: awkward, status: 'disabled', disabledReason: 'failing' },
      ...{ ordering: 'sequential', payload: 'thin' },
    },
    endpointPosition: {
      ...others.endpointPosition,
      ...{ position: Number.MAX_SAFE_INTEGER, furthest: Number.MAX_SAFE_INTEGER },
      ...{ failures: 2 ** 31 - 1, failingSince: later(1) },
    },
    webhookDelivery: {
      ...others.webhookDelivery,
      ...{ sequence: 0, trigger: 'test', status: 'failed', attemptCount: 10, nextAttemptAt: later(9) },
      attempts: Array.from({ length: 10 }, () => attempt),
    },
  };
};

/** The resource of each collection in a purchase. A new collection does not compile until it has one. */
export const sampleOf: { readonly [C in keyof Collections]: (of: Purchase) => Collections[C]['resource'] } = {
  products: ({ product }) => product,
  users: ({ user }) => user,
  orders: ({ order }) => order,
  orderItems: ({ item }) => item,
  reviews: ({ review }) => review,
  payments: ({ payment }) => payment,
  refunds: ({ refund }) => refund,
  captures: ({ capture }) => capture,
  disputes: ({ dispute }) => dispute,
  apiKeys: ({ apiKey }) => apiKey,
  identities: ({ identity }) => identity,
  erasures: ({ erasure }) => erasure,
  stockChanges: ({ stockChange }) => stockChange,
  webhookEndpoints: ({ webhookEndpoint }) => webhookEndpoint,
  endpointPositions: ({ endpointPosition }) => endpointPosition,
  webhookDeliveries: ({ webhookDelivery }) => webhookDelivery,
};

/** What the user sees who looks up the idempotency record of a request with a value in every field. */
export const aKeyResource = (createdAt: Instant, fieldHashes = { order_id: 'AbCd-_09' }) =>
  newKeyResource(
    {
      ...{ userId: newId(), key: 'k-1', role: 'customer', fingerprint: 'f-1' },
      origin: { method: 'POST', path: '/v1/payments', requestId: 'r-1', hashFields: () => fieldHashes },
    },
    createdAt,
    newId,
  ) ?? missing();

const missing = (): never => {
  throw new TypeError('A request with an origin has a resource.');
};

/** An idempotency record without a process. */
export const aRecord = (details: Partial<IdempotencyRecord> = {}): IdempotencyRecord => ({
  ...{ userId: newId(), key: 'k-1', role: 'customer', fingerprint: 'f-1', createdAt: noon },
  ...{ response: null, lease: null, resource: aKeyResource(details.createdAt ?? noon), ...details },
});
