import type { DataOf } from 'portico/client';

type Order = DataOf<'GET /orders/{order_id}'>;
type User = DataOf<'GET /users/{user_id}'>;
type Item = DataOf<'GET /orders/{order_id}/items'>;
type Money = Order['total'];

/** What a mail is about. */
export interface Facts {
  readonly shop: string;
  readonly user: Pick<User, 'name' | 'metadata'>;
  readonly order: Pick<Order, 'number' | 'total' | 'shipping' | 'discount' | 'taxes' | 'metadata'>;
  readonly items: readonly Pick<Item, 'quantity' | 'product_name' | 'total'>[];
  /** The resource in the event. */
  readonly data: unknown;
}

/** A mail in plain text. The first line is its subject. */
type Lines = readonly [subject: string, ...body: string[]];
type Language = 'en' | 'de';
type Template = Readonly<Record<Language, (facts: Facts) => Lines>>;

/** The language of the order, else of the customer (`metadata.language`, such as `de` or `de-AT`), else English. */
export const languageOf = ({ order, user }: Pick<Facts, 'order' | 'user'>): Language =>
  /^de(?![a-z])/i.test(order.metadata['language'] ?? user.metadata['language'] ?? '') ? 'de' : 'en';

/** A line that stays one: what is inserted can neither end it nor change the direction of its text. */
const line = (parts: TemplateStringsArray, ...values: readonly string[]): string =>
  String.raw({ raw: parts }, ...values.map((value) => value.replaceAll(/[\s\p{Cc}\p{Bidi_C}]+/gu, ' ')));

/** A sum as a language writes it. Amounts are minor units, and the currency says how many make a whole. */
const money = (language: Language, { amount, currency }: Money): string => {
  const format = new Intl.NumberFormat(language, { style: 'currency', currency });
  return format.format(amount / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 0));
};

const number = (language: Language, value: number): string =>
  new Intl.NumberFormat(language, { maximumFractionDigits: 3 }).format(value);

const percent = (language: Language, rate: number): string =>
  new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 3 }).format(rate / 100);

/** The sum that a refund has in its event. */
const refunded = (language: Language, data: unknown): string => {
  const amount = Object(Object(data).amount);
  if (!Number.isSafeInteger(amount.amount)) throw new TypeError('The event has no amount.');
  return money(language, amount);
};

interface Words {
  readonly shipping: string;
  readonly discount: string;
  readonly total: string;
  readonly tax: (rate: string) => string;
}

/** What was bought and what it costs. */
const bill = (language: Language, { order, items }: Facts, words: Words): readonly string[] => {
  const { total, shipping, discount, taxes } = order;
  return [
    ...items.map(
      (item) =>
        line`${number(language, item.quantity)} x ${item.product_name}: ${money(language, item.total)}`,
    ),
    ...(shipping.amount === 0 ? [] : [line`${words.shipping}: ${money(language, shipping)}`]),
    ...(discount.amount === 0 ? [] : [line`${words.discount}: -${money(language, discount)}`]),
    line`${words.total}: ${money(language, total)}`,
    ...taxes.map(({ rate, tax }) => line`${words.tax(percent(language, rate))}: ${money(language, tax)}`),
  ];
};

/** One entry for each mail: the type of the event that it is sent for, and its text in each language. */
export const templates: ReadonlyMap<string, Template> = new Map([
  [
    'order.paid',
    {
      en: (facts) => [
        line`Your order ${facts.order.number}`,
        line`Hello ${facts.user.name},`,
        '',
        line`thank you for your order ${facts.order.number}. It is paid:`,
        '',
        ...bill('en', facts, {
          ...{ shipping: 'Shipping', discount: 'Discount', total: 'Total' },
          tax: (rate) => `Tax included at ${rate}`,
        }),
        '',
        facts.shop,
      ],
      de: (facts) => [
        line`Ihre Bestellung ${facts.order.number}`,
        line`Guten Tag ${facts.user.name},`,
        '',
        line`danke für Ihre Bestellung ${facts.order.number}. Sie ist bezahlt:`,
        '',
        ...bill('de', facts, {
          ...{ shipping: 'Versand', discount: 'Rabatt', total: 'Summe' },
          tax: (rate) => `Darin Steuer zu ${rate}`,
        }),
        '',
        facts.shop,
      ],
    },
  ],
  [
    'refund.succeeded',
    {
      en: ({ shop, user, order, data }) => [
        line`Refund for your order ${order.number}`,
        line`Hello ${user.name},`,
        '',
        line`we have refunded ${refunded('en', data)} for your order ${order.number}.`,
        'Your bank may need a few days to show it.',
        '',
        shop,
      ],
      de: ({ shop, user, order, data }) => [
        line`Erstattung für Ihre Bestellung ${order.number}`,
        line`Guten Tag ${user.name},`,
        '',
        line`wir haben Ihnen ${refunded('de', data)} für Ihre Bestellung ${order.number} erstattet.`,
        'Bis Ihre Bank es zeigt, können einige Tage vergehen.',
        '',
        shop,
      ],
    },
  ],
]);
