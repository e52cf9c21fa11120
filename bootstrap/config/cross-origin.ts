import { type Environment, parseSetting } from './env-parser.ts';

/** What browsers may do, by the CORS headers of every response. */
export interface CrossOrigin {
  /** The one origin whose pages may call the API. */
  readonly origin: string;
  /** Whether no setting names it: then it is the API's own, which is known once its port is open. */
  readonly isOwnOrigin: boolean;
  readonly methods: string;
  readonly headers: string;
}

/** @param ownUrl of the API, as its settings name it @throws SettingError */
export const readCrossOrigin = (environment: Environment, ownUrl: string): CrossOrigin => {
  const read = <B>(
    name: string,
    expected: string,
    parse: (text: string) => string | undefined,
    fallback: B,
  ): string | B => parseSetting(environment, name, expected, parse, fallback);
  const origin = read('CORS_ORIGIN', originForm, parseOrigin, undefined);
  return {
    origin: origin ?? ownOriginOf(ownUrl),
    isOwnOrigin: origin === undefined,
    methods: read('CORS_ALLOW_METHODS', 'methods with commas between', parseNames, 'GET, POST, PUT, DELETE'),
    headers: read(
      'CORS_ALLOW_HEADERS',
      'header names with commas between',
      parseNames,
      'Content-Type, Authorization',
    ),
  };
};

/** The same with the origin of the port that was opened, unless a setting names the origin. @param url of the API's listener */
export const crossOriginAt = (crossOrigin: CrossOrigin, url: string): CrossOrigin =>
  crossOrigin.isOwnOrigin ? { ...crossOrigin, origin: ownOriginOf(url) } : crossOrigin;

/** The origin as browsers write it, without a default port. A server on all addresses is reached at 127.0.0.1. */
const ownOriginOf = (url: string): string => {
  const { origin, protocol, hostname, port } = new URL(url);
  const isWildcard = hostname === '0.0.0.0' || hostname === '[::]';
  return isWildcard ? new URL(`${protocol}//127.0.0.1:${port}`).origin : origin;
};

const parseNames = (text: string): string | undefined =>
  /^[A-Za-z0-9-]+(, ?[A-Za-z0-9-]+)*$/.test(text) ? text.split(/, ?/).join(', ') : undefined;

const originForm =
  'an origin such as https://shop.example: one, without * and without a path or / behind the host, in small letters, and without the port 443 of https or 80 of http';

/** Browsers send an origin in exactly one form; no origin has a wildcard (RFC 6454 section 6). */
const parseOrigin = (text: string): string | undefined => {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.origin === text && !text.includes('*')
    ? text
    : undefined;
};
