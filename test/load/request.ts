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
