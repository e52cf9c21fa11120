import type { ServerResponse } from 'node:http';

/** Everything comes from this origin, no script or style is inline, and no site may frame the page. */
const policy = (connectSources: readonly string[]): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    ["connect-src 'self'", ...connectSources].join(' '),
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

const securityHeaders = {
  'Content-Security-Policy': policy([]),
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
};

/** Sets the headers of every page for people, and of its files. */
export const setSecurityHeaders = (response: ServerResponse): void => {
  for (const [name, value] of Object.entries(securityHeaders)) response.setHeader(name, value);
};

/** Lets the scripts of a page send requests to these sources too. */
export const allowConnections = (response: ServerResponse, sources: readonly string[]): void => {
  response.setHeader('Content-Security-Policy', policy(sources));
};
