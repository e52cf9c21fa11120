import type { Migrations } from '../../migrate.ts';

export const sqliteMigrations: Migrations = [
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
  { name: '0006-key-creators', load: async () => (await import('./0006-key-creators.ts')).KeyCreators },
  { name: '0007-shop-fields', load: async () => (await import('./0007-shop-fields.ts')).ShopFields },
  { name: '0008-shop-tables', load: async () => (await import('./0008-shop-tables.ts')).ShopTables },
  { name: '0009-product-words', load: async () => (await import('./0009-product-words.ts')).ProductWords },
  {
    name: '0010-partial-external-ids',
    load: async () => (await import('./0010-partial-external-ids.ts')).PartialExternalIds,
  },
  { name: '0011-money-fields', load: async () => (await import('./0011-money-fields.ts')).MoneyFields },
  { name: '0012-money-tables', load: async () => (await import('./0012-money-tables.ts')).MoneyTables },
  { name: '0013-key-resources', load: async () => (await import('./0013-key-resources.ts')).KeyResources },
  { name: '0014-events', load: async () => (await import('./0014-events.ts')).Events },
  { name: '0015-webhooks', load: async () => (await import('./0015-webhooks.ts')).Webhooks },
  { name: '0016-low-stock', load: async () => (await import('./0016-low-stock.ts')).LowStock },
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
