import type { Migrations } from '../../migrate.ts';

export const mariadbMigrations: Migrations = [
  { name: '0001-initial', load: async () => (await import('./0001-initial.ts')).Initial },
  { name: '0002-key-creators', load: async () => (await import('./0002-key-creators.ts')).KeyCreators },
  { name: '0003-shop-fields', load: async () => (await import('./0003-shop-fields.ts')).ShopFields },
  { name: '0004-shop-tables', load: async () => (await import('./0004-shop-tables.ts')).ShopTables },
  { name: '0005-product-words', load: async () => (await import('./0005-product-words.ts')).ProductWords },
  { name: '0006-money-fields', load: async () => (await import('./0006-money-fields.ts')).MoneyFields },
  { name: '0007-money-tables', load: async () => (await import('./0007-money-tables.ts')).MoneyTables },
  { name: '0008-key-resources', load: async () => (await import('./0008-key-resources.ts')).KeyResources },
  { name: '0009-events', load: async () => (await import('./0009-events.ts')).Events },
  { name: '0010-webhooks', load: async () => (await import('./0010-webhooks.ts')).Webhooks },
  { name: '0011-low-stock', load: async () => (await import('./0011-low-stock.ts')).LowStock },
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
