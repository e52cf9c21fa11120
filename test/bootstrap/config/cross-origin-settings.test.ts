import { describeSettings } from '../support/settings.ts';

describeSettings('cross-origin requests', {
  CORS_ORIGIN: {
    read: ({ crossOrigin }) => crossOrigin.origin,
    byDefault: 'http://127.0.0.1:3000',
    valid: [
      ['https://shop.example', 'https://shop.example'],
      ['http://localhost:8080', 'http://localhost:8080'],
    ],
    invalid: [
      '*',
      'shop.example',
      'https://shop.example/',
      'https://a.example, https://b.example',
      'https://*.example',
      'https://a.example:443',
      'HTTPS://A.example',
      'null',
      'ftp://a',
    ],
    expected: /an origin such as https:\/\/shop\.example/,
  },
  CORS_ALLOW_METHODS: {
    read: ({ crossOrigin }) => crossOrigin.methods,
    byDefault: 'GET, POST, PUT, DELETE',
    valid: [
      ['GET, PATCH', 'GET, PATCH'],
      ['GET,PATCH', 'GET, PATCH'],
    ],
    invalid: ['GET PATCH', 'GET;', ',', 'GET\r\nX-A: b'],
    expected: /methods with commas between/,
  },
  CORS_ALLOW_HEADERS: {
    read: ({ crossOrigin }) => crossOrigin.headers,
    byDefault: 'Content-Type, Authorization',
    valid: [['Content-Type,X-B3-TraceId, Idempotency-Key', 'Content-Type, X-B3-TraceId, Idempotency-Key']],
    invalid: ['Content-Type:', 'a b', 'Content-Type\n'],
    expected: /header names with commas between/,
  },
});
