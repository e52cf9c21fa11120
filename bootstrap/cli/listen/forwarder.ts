import { parseAllowedReceivers } from '#adapters/webhooks/allowed-receivers.ts';
import { receiverGuard } from '#adapters/webhooks/receiver-guard.ts';
import { httpWebhookSender } from '#adapters/webhooks/sender.ts';
import type { Clock } from '#application/ports/system.ts';
import { bodyOf } from '#application/webhooks/message.ts';
import type { Rule } from '#domain/rule.ts';
import { unreachable } from '#domain/urls.ts';
import type { WebhookError } from '#domain/webhooks/delivery.ts';

interface Forwarder {
  /** Sends one event, once. @returns what came of it, such as `204 in 12 ms` */
  forward(id: string, shown: object, signal: AbortSignal): Promise<string>;
  close(): void;
}

/** @returns the URL of a receiver, which keeps `receiverUrlRule`; undefined when it is none */
export const parseReceiverUrl = (text: string): string | undefined => {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) ? url.href : undefined;
};

/** What of a URL a request for a webhook never has. */
export const receiverUrlRule: Rule<string> = {
  violation: (text) => {
    const url = URL.parse(text);
    if (url === null) return undefined;
    if (url.username + url.password !== '')
      return 'must not have a user name or password: webhooks are sent without. The receiver verifies their signature';
    if (url.hash !== '') return 'must not have a fragment (#), which is never sent';
    return unreachable(url);
  },
};

/** Sends events as webhooks are sent, to a receiver of any address: the developer has named it. */
export const openForwarder = (url: string, secret: string, clock: Clock): Forwarder => {
  const { hostname, port, protocol } = new URL(url);
  const place = `${hostname}:${port || (protocol === 'https:' ? '443' : '80')}`;
  const guard = receiverGuard({ allowed: parseAllowedReceivers(place) ?? [] });
  const sender = httpWebhookSender({ guard, clock });
  return {
    forward: async (id, shown, signal) => {
      const body = bodyOf(shown, { payload: 'full' });
      const { statusCode, error, durationMs } = await sender.send(
        { url, id, body, secrets: [secret] },
        signal,
      );
      const result = `${statusCode ?? error} in ${durationMs} ms`;
      const advice = error === null ? undefined : adviceOn(place)[error];
      return advice === undefined ? result : `${result}: ${advice}`;
    },
    close: sender.close,
  };
};

/** What to do about an error, as far as the developer can do something. */
const adviceOn = (place: string): Partial<Record<WebhookError, string>> => ({
  connection_failed: `no connection to ${place}. Start the program that listens there, and check the port`,
  name_unknown: `${place} has no address. Check the name of the host`,
  tls_failed: `${place} does not speak HTTPS, or its certificate is not trusted. Use http:// for a program on this machine`,
  timed_out: `${place} does not respond. It must respond before it works on the event`,
});
