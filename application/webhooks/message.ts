import type { Event } from '#domain/event.ts';
import type { WebhookDelivery } from '#domain/webhooks/delivery.ts';
import { WebhookEndpoint } from '#domain/webhooks/endpoint.ts';
import type { SecretBox } from '../ports/secret-box.ts';
import type { Clock } from '../ports/system.ts';
import type { WebhookMessage } from '../ports/webhook-sender.ts';

/** Shows events as receivers get them: as administrators see them, but without the idempotency key of the cause. */
export interface ShowEvents {
  readonly event: (event: Event) => object;
  /** An example of a type of event, with the given id. */
  readonly example: (delivery: Pick<WebhookDelivery, 'eventId' | 'eventType'>) => object;
}

/** The longest body with `data`, in bytes of UTF-8. */
const maxBodyBytes = 65_536;

/** A text of UTF-16 units has at most three bytes of UTF-8 for each. */
const bytesOf = (text: string): number =>
  text.length * 3 <= maxBodyBytes ? text.length : new TextEncoder().encode(text).length;

/** The body of a message: the event in JSON. Of a long one `data` is null, and of a thin one it is omitted, with `changed`. */
export const bodyOf = (shown: object, { payload }: Pick<WebhookEndpoint, 'payload'>): string => {
  if (payload === 'thin') {
    const left = Object.entries(shown).filter(([name]) => name !== 'data' && name !== 'changed');
    return JSON.stringify(Object.fromEntries(left));
  }
  const body = JSON.stringify(shown);
  return bytesOf(body) <= maxBodyBytes ? body : JSON.stringify({ ...shown, data: null, truncated: true });
};

interface Dependencies {
  readonly show: ShowEvents;
  readonly box: Pick<SecretBox, 'open'>;
  readonly clock: Clock;
}

/**
 * Makes the message of a delivery. A secret whose key is lost does not keep a newer one from signing.
 * @param event undefined for an example
 * @throws ApplicationError 'unavailable' when the newest secret cannot be opened
 */
export const messageOf =
  ({ show, box, clock }: Dependencies) =>
  async (
    endpoint: WebhookEndpoint,
    delivery: WebhookDelivery,
    event: Event | undefined,
  ): Promise<WebhookMessage> => {
    const { id: ownerId, url } = endpoint;
    const opened = await Promise.allSettled(
      WebhookEndpoint.validSecrets(endpoint, clock.now()).map(({ id: secretId, sealed }) =>
        box.open(sealed, { ownerId, secretId }),
      ),
    );
    const [newest] = opened;
    if (newest?.status === 'rejected') throw newest.reason;
    const secrets = opened.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    const shown = event === undefined ? { ...show.example(delivery), test: true } : show.event(event);
    return { url, id: delivery.eventId, body: bodyOf(shown, endpoint), secrets };
  };
