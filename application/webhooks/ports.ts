import type { SecretBox } from '../ports/secret-box.ts';
import type { WebhookSender } from '../ports/webhook-sender.ts';

/** What the use cases of webhooks need. */
export interface WebhookPorts {
  readonly sender: Pick<WebhookSender, 'problemOf'>;
  readonly box: SecretBox;
  /** Makes 32 random bytes, in base64. */
  readonly randomSecret: () => string;
}
