import type { ApiKey } from './resources.ts';

export type Scope = ApiKey['scopes'][number];

export interface ScopeGroup {
  readonly title: string;
  readonly items: readonly (readonly [scope: Scope, label: string])[];
}

/** What a key can be allowed to do, in the words of a shop, by what it is about. */
export const scopeGroups: readonly ScopeGroup[] = [
  {
    title: 'Products and stock',
    items: [
      ['products:read', 'See'],
      ['products:write', 'Add and change'],
    ],
  },
  {
    title: 'Orders',
    items: [
      ['orders:read', 'See'],
      ['orders:write', 'Place, change, fulfil and cancel'],
    ],
  },
  {
    title: 'Payments',
    items: [
      ['payments:read', 'See'],
      ['payments:write', 'Pay and collect'],
    ],
  },
  {
    title: 'Refunds',
    items: [
      ['refunds:read', 'See'],
      ['refunds:write', 'Refund'],
    ],
  },
  {
    title: 'Customers and staff',
    items: [
      ['users:read', 'See'],
      ['users:write', 'Add, change and delete'],
    ],
  },
  {
    title: 'Reviews',
    items: [
      ['reviews:read', 'See'],
      ['reviews:write', 'Write, change and delete'],
    ],
  },
  { title: 'What has happened', items: [['events:read', 'Follow events']] },
  { title: 'Requests', items: [['idempotency-keys:read', 'See what became of them']] },
  {
    title: 'Webhooks',
    items: [
      ['webhook-endpoints:read', 'See'],
      ['webhook-endpoints:write', 'Add, change and send again'],
    ],
  },
  {
    title: 'Keys',
    items: [
      ['api-keys:read', 'See'],
      ['api-keys:write', 'Create and revoke'],
    ],
  },
];

/** What a key may do, by group: `['Orders', 'see']`. A scope that is new to this page is shown as it is. */
export const rightsOf = (
  scopes: readonly string[],
): readonly (readonly [title: string, rights: string])[] => {
  const known = scopeGroups.flatMap(({ title, items }): [string, string][] => {
    const labels = items.filter(([scope]) => scopes.includes(scope)).map(([, label]) => label.toLowerCase());
    return labels.length === 0 ? [] : [[title, labels.join('; ')]];
  });
  const names = new Set<string>(scopeGroups.flatMap(({ items }) => items.map(([scope]) => scope)));
  return [...known, ...scopes.filter((scope) => !names.has(scope)).map((scope) => [scope, ''] as const)];
};

/** All of it in a few words. */
export const rightsInShort = (scopes: readonly string[]): string => {
  const count = scopeGroups.reduce((sum, { items }) => sum + items.length, 0);
  const areas = rightsOf(scopes).map(([title]) => title);
  if (areas.length === 0) return 'Nothing';
  if (scopes.length === count) return 'Everything';
  return areas.length > 3 ? `${areas.slice(0, 3).join(', ')} and more` : areas.join(', ');
};
