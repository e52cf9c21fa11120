/** Renders an order of one product. @param key none unless given */
export const orderBytes = (token: string, product: string, key?: string): Buffer =>
  requestBytes(
    'POST',
    '/v1/orders',
    { Authorization: `Bearer ${token}`, ...(key !== undefined && { 'Idempotency-Key': key }) },
    { product_id: product, quantity: 1 },
  );

/** Renders an HTTP/1.1 request to bytes. */
export const requestBytes = (
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body?: unknown,
): Buffer => {
  const text = body === undefined ? '' : JSON.stringify(body);
  const all = {
    Host: '127.0.0.1',
    ...headers,
    ...(body === undefined
      ? {}
      : { 'Content-Type': 'application/json', 'Content-Length': `${Buffer.byteLength(text)}` }),
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${text}`);
};
