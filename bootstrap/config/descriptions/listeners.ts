import { type SettingGroup, setting } from './description.ts';

export const listeners: SettingGroup = {
  title: 'Listeners',
  settings: [
    setting(
      'HOST',
      '127.0.0.1',
      'The address that the API listens on. Without TLS and without a proxy only loopback addresses are allowed.',
    ),
    setting('PORT', '3000', 'The port of the API.'),
    setting(
      'OPS_HOST',
      '127.0.0.1',
      'The address of the ops listener: `/docs`, `/admin`, `/openapi.json`, `/livez`, `/readyz`, `/metrics` and the API.',
    ),
    setting('OPS_PORT', '9090', 'The port of the ops listener. 0 switches it off.'),
    setting(
      'OPS_ALLOWED_HOSTS',
      '',
      '[Names](operations/watch.md#metrics) by which Prometheus and others request the ops listener, such as `portico,metrics.internal`. Addresses, `localhost` and `OPS_HOST` always work.',
    ),
    setting(
      'PAGES_HOST',
      '',
      'The address of the [pages listener](operations/deploy.md#public-docs), which serves `/docs`, `/openapi.json` and the API to a public host. 127.0.0.1 if empty.',
    ),
    setting('PAGES_PORT', '0', 'The port of the pages listener. 0 switches it off.'),
    setting(
      'ADMIN_PAGE',
      '0',
      '`1` serves [`/admin`](operations/deploy.md#the-admin-page) on the pages listener too. The ops listener always serves it.',
    ),
    setting(
      'PUBLIC_URL',
      '',
      'Where clients reach the API, such as `https://shop.example`. The docs and the OpenAPI document name it.',
    ),
    setting(
      'TLS_CERT_FILE',
      '',
      'The certificate for HTTPS, a PEM file; set it with `TLS_KEY_FILE`. Portico speaks HTTP/1.1; a [proxy](operations/tls-and-proxies.md#tls-and-proxies) adds HTTP/2. Replaced files are loaded without a restart.',
    ),
    setting('TLS_KEY_FILE', '', 'The key of the certificate, a PEM file.'),
    setting(
      'TRUST_PROXY',
      '0',
      '`1` behind a proxy that terminates HTTPS and sets `X-Forwarded-Proto`. Firewall the port so that only the proxy reaches it.',
    ),
  ],
};

export const limits: SettingGroup = {
  title: 'Limits',
  settings: [
    setting(
      'REQUEST_TIMEOUT_MS',
      '10000',
      'Timeout of a request, without the time of the payment provider. Then the response is 503.',
    ),
    setting('MAX_IN_FLIGHT', '1000', 'Maximum number of requests in flight. More are rejected with 503.'),
    setting(
      'MAX_WAITING',
      '200',
      'Maximum number of requests that [wait for a change](api.md#waiting). More get their response at once.',
    ),
    setting(
      'SHUTDOWN_DRAIN_MS',
      '2000',
      'How long requests are still accepted after SIGTERM, until load balancers have noticed.',
    ),
    setting(
      'RATE_LIMIT_MAX',
      '600',
      'Requests that an API key can send in a window, over all processes of a database.',
    ),
    setting('RATE_LIMIT_WINDOW_SECONDS', '60', 'Length of that window.'),
    setting(
      'DEPRECATED_VERSIONS',
      '',
      'Versions of the API and the times of their end, such as `v1=2027-06-30T00:00:00Z`.',
    ),
  ],
};
