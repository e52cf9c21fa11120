import { randomUUID } from 'node:crypto';
import { isLikeCredential } from './credential-pattern.ts';

/** The CORS headers that an operator configures. */
export interface CorsOptions {
  readonly origin: string;
  readonly methods: string;
  readonly headers: string;
}

/** The headers of every response, errors included (specification, section 5). `X-Request-Id` is added per request. */
export const commonHeaders = ({
  origin,
  methods,
  headers,
}: CorsOptions): Readonly<Record<string, string>> => ({
  'X-Content-Type-Options': 'nosniff',
  'Strict-Transport-Security': 'max-age=31536000; includeSubDomains',
  'Access-Control-Allow-Origin': origin,
  'Access-Control-Allow-Methods': methods,
  'Access-Control-Allow-Headers': headers,
});

/** Visible ASCII without `<` and `>`, so that a page that shows the id cannot read it as markup. */
const safeRequestId = /^[\x21-\x3b\x3d\x3f-\x7e]{1,200}$/;

/** The client's own request id if it is safe to repeat in logs and responses, else a new UUID. */
export const requestIdOf = (header: string | string[] | undefined): string =>
  typeof header === 'string' && safeRequestId.test(header) && !isLikeCredential(header)
    ? header
    : randomUUID();
