import type { Client, Json } from '../../http/support/client.ts';
import { newOrder, newProduct } from '../../http/support/shop.ts';
import type { Metrics } from '../../support/metrics.ts';
import type { RunningApp } from '../support/apps.ts';

/** Reads the metrics once all requests are counted: the client has the response a moment earlier. */
export const settledMetrics = async (app: RunningApp): Promise<Metrics> => {
  for (let tries = 0; tries < 1_000; tries += 1) {
    const metrics = await app.metrics();
    if (metrics.value('portico_http_requests_in_flight') === 0) return metrics;
  }
  throw new Error('A request stays in flight.');
};

/** How many requests a line such as `GET /v1/products 200` has counted. */
export const requestsIn = (metrics: Metrics, line: string): number => {
  const [method = '', route = '', status = ''] = line.split(' ');
  return metrics.value('portico_http_requests_total', { method, route, status });
};

/** Orders a new product. */
export const anOrder = async (client: Client): Promise<Json> =>
  newOrder(client, await newProduct({ operator: client }));
