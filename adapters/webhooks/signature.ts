import { createHmac, randomBytes } from 'node:crypto';
import { WebhookSecret } from '#domain/webhooks/secret.ts';

/** Makes the secret of a webhook endpoint from 32 random bytes. */
export const newWebhookSecret = (): string => WebhookSecret.of(randomBytes(32).toString('base64'));

interface SignOptions {
  readonly id: string;
  readonly body: Uint8Array;
  readonly secrets: readonly string[];
  /** When the message is sent, in milliseconds since 1970. */
  readonly at: number;
}

/** The headers by which a receiver knows the sender: Standard Webhooks 1.0, with one signature for each secret. */
export const signatureHeaders = ({
  id,
  body,
  secrets,
  at,
}: SignOptions): Readonly<Record<string, string>> => {
  const timestamp = String(Math.floor(at / 1_000));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(WebhookSecret.base64Of(secret), 'base64');
    const hmac = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body);
    return `v1,${hmac.digest('base64')}`;
  });
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
};
