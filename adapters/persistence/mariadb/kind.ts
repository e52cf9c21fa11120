import type { StoreKind } from '../store-kind.ts';

export const mariadbKind = {
  name: 'mariadb',
  product: 'MariaDB',
  urlForms: ['mariadb://<user>:<password>@<host>:<port>/<database>'],
  keptIn: 'a MariaDB database',
  optionalPackage: '@mikro-orm/mariadb',
  hasOwnClock: true,
  sharesFile: false,
  hasPool: true,
  parse: (text) => {
    const url = URL.parse(text);
    if (url === null || url.protocol !== 'mariadb:' || url.hostname === '') return undefined;
    const isComplete = /^\/[^/]+$/.test(url.pathname) && isDecodable(text);
    // A parameter that has no effect would be taken for one that has.
    const isKnown = [...url.searchParams].every(([name, value]) => name === 'ssl' && value === 'true');
    return isComplete && isKnown ? { url: text } : undefined;
  },
  isKept: () => true,
  open: async (location) => (await import('./open.ts')).openMariaDb(location),
  inspect: async ({ url }) => (await import('./inspect.ts')).inspectMariaDb({ url }),
} as const satisfies StoreKind;

const isDecodable = (text: string): boolean => {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
};
