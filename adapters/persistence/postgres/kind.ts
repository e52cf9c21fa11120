import { serverUrlAdvice } from '../server-url-advice.ts';
import type { StoreKind } from '../store-kind.ts';
import { isDecodable } from '../url.ts';
import { notReadyReason } from './not-ready.ts';
import { environmentProblem, parameterProblem } from './url-parameters.ts';

export const postgresKind = {
  name: 'postgres',
  product: 'PostgreSQL',
  urlForms: ['postgres://<user>:<password>@<host>:<port>/<database>'],
  keptIn: 'a PostgreSQL database',
  hasOwnClock: true,
  sharesFile: false,
  hasPool: true,
  parse: (text) => {
    const withHost = text.replace(socketForm, '$1localhost/');
    const url = URL.parse(withHost);
    if (url === null || !/^postgres(ql)?:$/.test(url.protocol)) return undefined;
    if (withHost !== text && !url.searchParams.has('host')) return undefined;
    const isComplete =
      /^\/./.test(url.pathname) && isDecodable(text) && url.searchParams.getAll('port').every(isPort);
    return isComplete ? { url: withHost } : undefined;
  },
  adviceFor: (text) =>
    serverUrlAdvice(text, {
      scheme: 'postgres',
      own: /^postgres(ql)?$/i,
      foreign:
        /^(?!postgres(?:ql)?:\/\/)((?:jdbc:|prisma\+)?(?:postgres(?:ql)?|postgis|pgsql|pg|cockroachdb)(?:\+\w+)?:(?:\/\/)?)/i,
    }),
  problemOf: (text) => {
    const url = new URL(text);
    return parameterProblem(url) ?? environmentProblem(url.searchParams);
  },
  isKept: () => true,
  open: async (location) => (await import('./open.ts')).openPostgres(location),
  notReadyReason,
  inspect: async ({ url }) => (await import('./inspect.ts')).inspectPostgres(url),
  inspectReplica: async (url) => (await import('./inspect.ts')).inspectReplica(url),
  transportOf: async (url) => (await import('./transport.ts')).transportOf(url),
} as const satisfies StoreKind;

/**
 * A URL without a host, as Cloud SQL writes it: `postgres://user:password@/shop?host=/cloudsql/project:region:instance`. It is
 * no URL of the standard. The parameter `host` wins over any host in front of it.
 */
const socketForm = /^(postgres(?:ql)?:\/\/[^/?#]*@)\//i;

/** The driver throws for another port where no caller can catch it. */
const isPort = (text: string): boolean =>
  /^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= 65_535;
