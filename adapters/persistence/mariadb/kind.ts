import { serverUrlAdvice } from '../server-url-advice.ts';
import type { StoreKind } from '../store-kind.ts';
import { isDecodable } from '../url.ts';
import { notReadyReason } from './not-ready.ts';
import { hostOf, parameterProblem } from './tls.ts';

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
    return isComplete ? { url: text } : undefined;
  },
  adviceFor: (text) =>
    serverUrlAdvice(text, {
      scheme: 'mariadb',
      own: /^mariadb$/i,
      foreign: /^(?!mariadb:\/\/)((?:jdbc:)?mariadb(?:\+\w+)?:(?:\/\/)?)/i,
    }),
  problemOf: (text) => parameterProblem(new URL(text)),
  isKept: () => true,
  open: async (location) => (await import('./open.ts')).openMariaDb(location),
  notReadyReason,
  inspect: async ({ url }) => (await import('./inspect.ts')).inspectMariaDb({ url }),
  // Its driver verifies certificate and host wherever it encrypts: see tlsOptions.
  transportOf: async (url) => {
    const parsed = new URL(url);
    const encryption = parsed.searchParams.has('ssl') ? 'verified' : 'none';
    return { host: hostOf(parsed), encryption, verifyingParameter: 'ssl=true' };
  },
} as const satisfies StoreKind;
