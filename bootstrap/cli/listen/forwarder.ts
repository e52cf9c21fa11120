import { parseAllowedReceivers } from '#adapters/webhooks/allowed-receivers.ts';
import { receiverGuard } from '#adapters/webhooks/receiver-guard.ts';
import { httpWebhookSender } from '#adapters/webhooks/sender.ts';
import type { Clock } from '#application/ports/system.ts';
import { bodyOf } from '#application/webhooks/message.ts';

interface Forwarder {
  /** Sends one event, once. @returns what came of it, such as `204 in 12 ms` */
  forward(id: string, shown: object, signal: AbortSignal): Promise<string>;
  close(): void;
}

/** @returns the URL of a receiver; undefined when it is none */
export const parseReceiverUrl = (text: string): string | undefined => {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol) || url.port === '0') return undefined;
  return url.username === '' && url.password === '' && url.hash === '' ? url.href : undefined;
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
      return `${statusCode ?? error} in ${durationMs} ms`;
    },
    close: sender.close,
  };
};
