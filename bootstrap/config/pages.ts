import {
  type Environment,
  isLoopback,
  parseInteger,
  parseSetting,
  readHost,
  readText,
  SettingError,
  zeroOrOne,
} from './env-parser.ts';
import { requireSecureTransport, type TlsSettings } from './tls.ts';

/** Where clients reach the server, and where they read its documentation. */
export interface PagesSettings {
  /** The address of the API for its clients, without a slash at its end: `https://shop.example`. */
  readonly publicUrl: string | undefined;
  /** The listener for docs and API beside those for the API and for operators. */
  readonly pages:
    | { readonly host: string; readonly port: number; readonly hasAdminPage: boolean }
    | undefined;
}

/** The settings of the other listeners, on which these depend. */
interface Transport {
  readonly tls: TlsSettings | undefined;
  readonly behindProxy: boolean;
}

/** @throws SettingError */
export const readPages = (environment: Environment, { tls, behindProxy }: Transport): PagesSettings => {
  const publicUrl = parseSetting(
    environment,
    'PUBLIC_URL',
    'a URL with http or https, without a query and without /v1 at its end, such as https://shop.example',
    parsePublicUrl,
    undefined,
  );
  const port = parseInteger(environment, 'PAGES_PORT', { min: 0, max: 65_535 }, 0);
  const hasAdminPage = parseSetting(environment, 'ADMIN_PAGE', '1 or 0', zeroOrOne, false);
  if (port === 0) {
    const host = readText(environment, 'PAGES_HOST');
    if (host !== undefined) throw new SettingError('PAGES_PORT', 'must be set where PAGES_HOST is.');
    if (hasAdminPage) throw new SettingError('PAGES_PORT', 'must be set where ADMIN_PAGE is 1.');
    return { publicUrl, pages: undefined };
  }
  const host = readHost(environment, 'PAGES_HOST');
  requireSecureTransport('PAGES_HOST', host, behindProxy, tls !== undefined);
  return { publicUrl, pages: { host, port, hasAdminPage } };
};

const parsePublicUrl = (text: string): string | undefined => {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined;
  const hasMore = /[?#]/.test(text) || url.username !== '' || url.password !== '';
  const base = url.href.replace(/\/+$/, '');
  // Each path of the API begins with it, so that clients would ask for /v1/v1.
  return hasMore || base.endsWith('/v1') ? undefined : base;
};

interface Listeners extends PagesSettings, Transport {
  readonly host: string;
  readonly ops: { readonly host: string; readonly port: number } | undefined;
}

/**
 * The address of the docs for the clients of the API; undefined where they cannot reach it, or the server cannot know it: a proxy may
 * have another name, and a listener on all addresses has none.
 */
export const docsUrlOf = ({ host, ops, pages, publicUrl, tls }: Listeners): string | undefined => {
  if (pages !== undefined) {
    if (publicUrl !== undefined) return `${publicUrl}/docs`;
    return isWildcard(pages.host) ? undefined : docsAt(tls ? 'https' : 'http', pages);
  }
  return ops !== undefined && isLoopback(ops.host) && isLoopback(host) ? docsAt('http', ops) : undefined;
};

const isWildcard = (host: string): boolean => host === '0.0.0.0' || host === '::';

const docsAt = (scheme: string, { host, port }: { readonly host: string; readonly port: number }): string =>
  new URL(`${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}/docs`).href;
