import { type Finding, findingsFor } from '#application/ports/inspection.ts';
import type { Config } from '../../config/config.ts';
import { hostOf, isLoopback } from '../../config/env-parser.ts';

const cors = findingsFor('cors');

/** What a page sends that shops, as docs/guides/from-a-browser.md sets it. */
const allMethods = 'GET, POST, PUT, PATCH, DELETE';
const allHeaders = 'Content-Type, Authorization, Idempotency-Key, If-Match, If-None-Match';

/** What each allowed header is for. A page that changes nothing needs the first only. */
const uses: Readonly<Record<string, string>> = {
  Authorization: 'every request',
  'Content-Type': 'every request with a body',
  'Idempotency-Key': 'payments',
};

/** Whether pages of an operator can call the API from a browser, and send what a shop sends. */
export const checkCors = ({ crossOrigin }: Pick<Config, 'crossOrigin'>): Finding => {
  const { origin, isOwnOrigin } = crossOrigin;
  if (isOwnOrigin) {
    return cors.warn(
      'no page of yours can call the API from a browser: CORS_ORIGIN is not set',
      `For a page on http://localhost:5173 set CORS_ORIGIN=http://localhost:5173, CORS_ALLOW_METHODS=${allMethods} and ` +
        `CORS_ALLOW_HEADERS=${allHeaders}. Without such pages, leave it.`,
    );
  }
  const missing = missingFrom(crossOrigin);
  if (missing.length === 0) return cors.ok(`pages of ${origin} can call the API`);
  return cors.warn(
    `pages of ${origin} cannot send ${missing.join(', ')}`,
    `Set CORS_ALLOW_METHODS=${allMethods} and CORS_ALLOW_HEADERS=${allHeaders}.`,
  );
};

const missingFrom = ({ methods, headers }: Config['crossOrigin']): readonly string[] => {
  const allowedMethods = new Set(methods.split(', '));
  // Header names have no case (RFC 9110 section 5.1); methods have.
  const allowedHeaders = new Set(headers.toLowerCase().split(', '));
  const isReadOnly = !['POST', 'PUT', 'PATCH', 'DELETE'].some((method) => allowedMethods.has(method));
  const needed = isReadOnly ? ['Authorization'] : Object.keys(uses);
  return [
    ...(isReadOnly || allowedMethods.has('PATCH') ? [] : ['PATCH (changes of orders and products)']),
    ...needed
      .filter((name) => !allowedHeaders.has(name.toLowerCase()))
      .map((name) => `${name} (${uses[name]})`),
  ];
};

/** Whether the pages that may call are those of real clients. */
export const checkPublicOrigin = ({ crossOrigin }: Pick<Config, 'crossOrigin'>): readonly Finding[] => {
  const { origin, isOwnOrigin } = crossOrigin;
  const url = new URL(origin);
  const { protocol, hostname } = url;
  const isOfThisMachine =
    hostname === 'localhost' || hostname.endsWith('.localhost') || isLoopback(hostOf(url));
  if (isOwnOrigin || (protocol === 'https:' && !isOfThisMachine)) return [];
  return [
    cors.warn(
      isOfThisMachine
        ? `${origin} is on the machine of the person who opens the page: real clients load your pages from elsewhere`
        : `pages of ${origin} are not encrypted: they and their keys can be read and changed on the way`,
      'Set CORS_ORIGIN to the origin of your pages with https, such as https://shop.example.',
    ),
  ];
};
