import { defineEntity, type EntitySchema, p } from '@mikro-orm/core';
import { entities } from '#adapters/persistence/schema/entities/all.ts';
import {
  amount,
  choice,
  flag,
  indexedText,
  instant,
  json,
  reference,
  resource,
} from '#adapters/persistence/schema/entities/columns.ts';
import { users } from '#adapters/persistence/schema/entities/user.ts';
import type { UserId } from '#domain/user.ts';
import type { Entities } from './schemas.ts';

type Properties = Parameters<typeof defineEntity>[0]['properties'];

/** Stock changes, which no table refers to, with other properties than theirs. */
export const stockChangesWith = (properties: Properties, tableName = 'stock_changes'): EntitySchema =>
  defineEntity({
    name: 'StockChange',
    tableName,
    properties: { ...resource(), product_id: p.uuid(), ...properties },
    indexes: [{ properties: ['product_id', 'id'] }],
  });

/** The properties that stock changes have of their own. */
export const ofStockChanges = () => ({
  change_thousandths: p.bigint('number'),
  reason: p.text().strictNullable(),
  stock_after_thousandths: p.bigint('number'),
});

/** Gift cards: a resource that no release has, with a reference, a unique index, a partial one, defaults and a word that is reserved. */
export const giftCards: EntitySchema = defineEntity({
  name: 'GiftCard',
  tableName: 'gift_cards',
  properties: {
    ...resource(),
    user_id: reference<UserId>(users, 'user_id'),
    code: indexedText(),
    status: choice<string>().default('active'),
    left_amount: amount().defaultRaw('0'),
    order: p.text().strictNullable(),
    used: flag().default(0),
    used_at: instant().strictNullable(),
    details: json().default('{}'),
  },
  indexes: [
    { properties: ['user_id', 'id'] },
    { properties: ['used_at', 'id'], where: 'used_at is not null' },
  ],
  uniques: [{ properties: ['code'] }],
});

/** The entities with others in place of the stock changes. */
export const entitiesWith = (...others: readonly EntitySchema[]): Entities => {
  const changed = (all: readonly EntitySchema[]): readonly EntitySchema[] => [
    ...all.filter(({ meta }) => meta.tableName !== 'stock_changes'),
    ...others,
  ];
  return {
    sqlite: changed(entities.sqlite),
    postgres: changed(entities.postgres),
    mariadb: changed(entities.mariadb),
  };
};
