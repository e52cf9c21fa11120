import type { Client, Json } from './client.ts';
import { expectCreated, expectOne } from './expectations.ts';
import type { Service } from './service.ts';

/** A key that encrypts secrets, for stores that several processes share. */
export const webhookSettings = { SECRETS_KEY: Buffer.alloc(32, 7).toString('base64') };

/** A receiver that no test reaches: the name has a loopback address, which is not called. */
export const receiverUrl = 'https://localhost:8443/webhooks';

const path = '/v1/webhook-endpoints';

/** Creates a webhook endpoint. @returns it with its secret */
export const newEndpoint = async (by: Client, fields: object = {}): Promise<Json> =>
  expectCreated(await by.post(path, { url: receiverUrl, ...fields }), path);

/** Creates one that is disabled, so that no attempt changes it or its deliveries. @returns it without its secret */
export const newDisabledEndpoint = async (by: Client, fields: object = {}): Promise<Json> => {
  const { id } = await newEndpoint(by, fields);
  return expectOne(await by.patch(`${path}/${id}`, { status: 'disabled' }));
};

/** Deletes all, because a shop has twenty at most. */
export const deleteEndpoints = async ({ operator }: Pick<Service, 'operator'>): Promise<void> => {
  const { body } = await operator.get(path);
  for (const { id } of body.data) await operator.delete(`${path}/${id}`);
};
