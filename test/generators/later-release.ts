import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Json } from '../http/support/client.ts';

/** A server of a later release, which sends what the document of this one does not name. */
export interface LaterRelease {
  readonly url: string;
  readonly close: () => Promise<void>;
}

/**
 * Serves the examples of lists with one more field in each resource, another status, and another type of event.
 * @param document of this release
 */
export const serveLaterRelease = async (document: Json): Promise<LaterRelease> => {
  const server = createServer(({ url = '' }, response) => {
    const { pathname } = new URL(url, 'http://localhost');
    const page = structuredClone(
      document.paths[pathname].get.responses[200].content['application/json'].example,
    );
    response.setHeader('Content-Type', 'application/json');
    response.end(JSON.stringify({ ...page, data: page.data.map(later) }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
};

const later = ({ status, subject, ...resource }: Json): Json => ({
  ...resource,
  gift: { wrapped: true },
  ...(status && { status: 'held' }),
  ...(subject && {
    subject: { ...subject, type: 'gift' },
    ...{ type: 'gift.sent', data: { id: subject.id, wrapped: true } },
  }),
});
