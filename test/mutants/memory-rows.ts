import { faultsOf, type Mutant } from './mutant.ts';

const constraintsOfPort = 'keep exactly the constraints that the port lists';

export const memoryRowMutants: readonly Mutant[] = [
  ...faultsOf('port', '../../application/ports/repositories.ts', [
    ['an unchecked sku', "{ unique: ['sku'] }", '{}', constraintsOfPort],
    ['an unchecked address', "['email', 'externalId']", "['externalId']", constraintsOfPort],
    [
      'an unchecked second review',
      "unique: ['itemId', 'userProduct'],",
      "unique: ['userProduct'],",
      constraintsOfPort,
    ],
    [
      'an unchecked second review of a product',
      "unique: ['itemId', 'userProduct'],",
      "unique: ['itemId'],",
      constraintsOfPort,
    ],
    [
      'an order of no user',
      "orders: { unique: ['externalId'], reference: ['userId', 'users'] }",
      "orders: { unique: ['externalId'] }",
      constraintsOfPort,
    ],
    [
      'an unchecked number of an order',
      "orders: { unique: ['externalId'], ",
      'orders: { ',
      constraintsOfPort,
    ],
    ['an identity of two users', "identities: { unique: ['key'], ", 'identities: { ', constraintsOfPort],
    [
      'an API key of no user',
      "apiKeys: { reference: ['userId', 'users'] }",
      'apiKeys: {}',
      constraintsOfPort,
    ],
    [
      'an item of no order',
      "orderItems: { reference: ['orderId', 'orders'] }",
      'orderItems: {}',
      constraintsOfPort,
    ],
    ['a review of no item', "    reference: ['itemId', 'orderItems'],\n", '', constraintsOfPort],
    [
      'a payment of no order',
      "payments: { reference: ['orderId', 'orders'] }",
      'payments: {}',
      constraintsOfPort,
    ],
    [
      'a refund of no payment',
      "refunds: { reference: ['paymentId', 'payments'] }",
      'refunds: {}',
      constraintsOfPort,
    ],
  ]),
  ...faultsOf('memory', 'memory/constraints.ts', [
    [
      'a resource in conflict with itself',
      '.some(({ id }) => id !== resource.id)',
      '.some(() => true)',
      'may follow each other on one resource, each with the next version',
    ],
    [
      'two empty fields in conflict',
      'if (valueIn(field) === null) continue;\n    const same',
      'const same',
      'let a sku of products be used again once it is free, and several have none',
    ],
    [
      'a removed user with API keys',
      'collectionNames.some(',
      'collectionNames.slice(0, 3).some(',
      'let nothing be removed that apiKeys refer to by userId',
    ],
    [
      'a failed payment that is rejected',
      'Payment.isLive(payment) &&\n',
      '',
      'let an order have one live payment, and any number that have failed',
    ],
    [
      'a payment in conflict with itself',
      'other.id !== payment.id && Payment',
      'Payment',
      'return what was stored, in every status',
    ],
  ]),
  ...faultsOf('memory', 'memory/rows.ts', [
    [
      'own changes that no constraint sees',
      'if (row && row[field as keyof T] === value) found.push(row);',
      '',
      'hold after each change: what is referred to is added first and removed last',
    ],
    [
      'removed rows that constraints see',
      '.filter((key) => !changes?.has(key))',
      '',
      'let a sku of products be used again once it is free, and several have none',
    ],
    [
      'an index that keeps old values',
      'else this.#removeFromIndexes(key, before);',
      '',
      'let a sku of products be used again once it is free, and several have none',
    ],
    [
      'own changes that are not seen',
      'this.#changes?.has(key) ? this.#changes.get(key) : this',
      'this',
      'can be removed and added anew in one unit of work',
    ],
    [
      'own changes that are not listed',
      'if (changes === undefined) {',
      'if (changes !== null) {',
      'are found, locked and listed by itself as soon as they are made',
    ],
    [
      'own changes listed in the order of the calls',
      '.sort(([one], [other]) => (isBefore(one, other) ? -1 : 1))',
      '',
      'are listed together with what was committed, in ascending order of id',
    ],
    [
      'own changes listed twice',
      'if (!changes.has(key)) yield row;',
      'yield row;',
      'are listed together with what was committed, in ascending order of id',
    ],
    [
      'removed rows that are committed',
      'if (row === undefined) this.#committed.delete(key);',
      'if (row === undefined) continue;',
      'can be replaced and removed by the unit of work that locks them',
    ],
    [
      'a descending page that begins in the middle',
      'this.#keys.length : this.#indexOf(after)) - 1',
      'this.#keys.length : this.#indexAfter(after)) - 1',
      'descend, and begin after their cursor, where that is asked for',
    ],
    [
      'own changes that a descending page lists in ascending order',
      "order === 'ascending' ? one < other : one > other",
      'one < other',
      'are listed together with what was committed in descending order of id, too',
    ],
    [
      'rows in the order of their commits',
      'this.#keys.splice(this.#indexOf(key), 0, key)',
      'this.#keys.push(key)',
      'ascend by id, in any order of insertion',
    ],
  ]),
];
