import type { StoreKind } from '../store-kind.ts';

export const postgresKind = {
  name: 'postgres',
  product: 'PostgreSQL',
  urlForms: ['postgres://<user>:<password>@<host>:<port>/<database>'],
  keptIn: 'a PostgreSQL database',
  hasOwnClock: true,
  sharesFile: false,
  hasPool: true,
  parse: (text) => {
    const url = URL.parse(text);
    if (url === null || !/^postgres(ql)?:$/.test(url.protocol)) return undefined;
    const isComplete =
      /^\/./.test(url.pathname) && isDecodable(text) && url.searchParams.getAll('port').every(isPort);
    return isComplete ? { url: text } : undefined;
  },
  isKept: () => true,
  open: async (location) => (await import('./open.ts')).openPostgres(location),
  inspect: async ({ url }) => (await import('./inspect.ts')).inspectPostgres(url),
  inspectReplica: async (url) => (await import('./inspect.ts')).inspectReplica(url),
} as const satisfies StoreKind;

/** The driver throws for another port where no caller can catch it. */
const isPort = (text: string): boolean =>
  /^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= 65_535;

const isDecodable = (text: string): boolean => {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
};
