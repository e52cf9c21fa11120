import type { Migrations } from '../../migrate.ts';

export const postgresMigrations: Migrations = [
  { name: '0001-initial', load: async () => (await import('./0001-initial.ts')).Initial },
  {
    name: '0002-refund-provider',
    load: async () => (await import('./0002-refund-provider.ts')).RefundProvider,
  },
  { name: '0003-duties', load: async () => (await import('./0003-duties.ts')).Duties },
  {
    name: '0004-sandbox-ledger',
    load: async () => (await import('./0004-sandbox-ledger.ts')).SandboxLedger,
  },
  { name: '0005-quotas', load: async () => (await import('./0005-quotas.ts')).Quotas },
  { name: '0006-key-parts', load: async () => (await import('./0006-key-parts.ts')).KeyParts },
  { name: '0007-replicas', load: async () => (await import('./0007-replicas.ts')).Replicas },
  { name: '0008-require', load: async () => (await import('./0008-require.ts')).Require },
  { name: '0009-key-creators', load: async () => (await import('./0009-key-creators.ts')).KeyCreators },
  { name: '0010-shop-fields', load: async () => (await import('./0010-shop-fields.ts')).ShopFields },
  { name: '0011-shop-tables', load: async () => (await import('./0011-shop-tables.ts')).ShopTables },
  { name: '0012-product-words', load: async () => (await import('./0012-product-words.ts')).ProductWords },
  {
    name: '0013-partial-external-ids',
    load: async () => (await import('./0013-partial-external-ids.ts')).PartialExternalIds,
  },
  { name: '0014-money-fields', load: async () => (await import('./0014-money-fields.ts')).MoneyFields },
  { name: '0015-money-tables', load: async () => (await import('./0015-money-tables.ts')).MoneyTables },
  { name: '0016-key-resources', load: async () => (await import('./0016-key-resources.ts')).KeyResources },
  { name: '0017-events', load: async () => (await import('./0017-events.ts')).Events },
  { name: '0018-webhooks', load: async () => (await import('./0018-webhooks.ts')).Webhooks },
  { name: '0019-low-stock', load: async () => (await import('./0019-low-stock.ts')).LowStock },
  {
    name: '2026-11-30-quantity-step',
    load: async () => (await import('./2026-11-30-quantity-step.ts')).QuantityStep,
  },
  {
    name: '2026-11-30-one-review-of-a-product',
    load: async () => (await import('./2026-11-30-one-review-of-a-product.ts')).OneReviewOfAProduct,
  },
  {
    name: '2026-11-30-sales-of-disputes',
    load: async () => (await import('./2026-11-30-sales-of-disputes.ts')).SalesOfDisputes,
  },
  {
    name: '2026-11-30-times-of-money',
    load: async () => (await import('./2026-11-30-times-of-money.ts')).TimesOfMoney,
  },
];
