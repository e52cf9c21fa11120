import { newId } from '../../support/machine.ts';
import { token } from '../production.ts';

/** What a server needs to deliver to receivers on this machine. */
export const webhookSettings = {
  WEBHOOK_ALLOW: '127.0.0.1:*',
  SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
};

/** Registers an endpoint. @param port of the server @returns its id */
export const createEndpoint = async (
  port: number,
  endpoint: { readonly url: string; readonly event_types: readonly string[] },
): Promise<string> => {
  const response = await fetch(`http://127.0.0.1:${port}/v1/webhook-endpoints`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${token}`,
      'Content-Type': 'application/json',
      'Idempotency-Key': newId(),
    },
    body: JSON.stringify(endpoint),
  });
  if (response.status !== 201) throw new Error(`The endpoint was not created: ${await response.text()}`);
  const { data } = (await response.json()) as { readonly data: { readonly id: string } };
  return data.id;
};
