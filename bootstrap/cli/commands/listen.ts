import { showEvents } from '#adapters/http/v1/webhook-bodies.ts';
import { randomSecret } from '#adapters/secrets/secret-keys.ts';
import type { Event } from '#domain/event.ts';
import { WebhookEndpoint, webhookEventTypes } from '#domain/webhooks/endpoint.ts';
import { WebhookSecret } from '#domain/webhooks/secret.ts';
import { oneOf } from '../../config/env-parser.ts';
import { command, flag, list, value } from '../framework/command.ts';
import { type ExitCode, exitCodeForSignal } from '../framework/exit-codes.ts';
import type { Terminal } from '../framework/terminal.ts';
import { followFeed } from '../listen/follow-feed.ts';
import { openForwarder, parseReceiverUrl, receiverUrlRule } from '../listen/forwarder.ts';
import { withExistingApplication } from '../open-application.ts';

type WebhookEventType = (typeof webhookEventTypes)[number];

const parseType = oneOf(webhookEventTypes);

/** @returns undefined when one of the names is no type */
const parseTypes = (text: string): readonly WebhookEventType[] | undefined => {
  const types = text.split(',').map((name) => parseType(name.trim()));
  const valid = types.filter((type) => type !== undefined);
  return valid.length === types.length ? valid : undefined;
};

/** `whsec_` and base64 of 24 to 64 bytes (Standard Webhooks 1.0). */
const parseSecret = (text: string): string | undefined =>
  /^whsec_(?:[A-Za-z0-9+/]{4}){8,21}(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text) ? text : undefined;

export const listen = command({
  name: 'listen',
  description: 'Show events as they come, and forward them to a program of yours.',
  isReadOnly: true,
  details: [
    'Reads the database of the settings, as other commands do, so it needs neither a key nor the URL of a server. It cannot see a server whose database is in memory. Begins at the end of the feed, and ends with Ctrl-C.',
    'With --forward events are sent one after the other, signed as webhooks are. The URL may be of this machine. What fails is shown and not sent again: register a webhook endpoint for a receiver that must miss nothing.',
  ],
  options: {
    forward: value('URL', {
      description: 'Send each event to this URL, such as http://localhost:4000/webhooks.',
      expects: 'an http or https URL, such as http://localhost:4000/webhooks',
      rule: receiverUrlRule,
      parse: parseReceiverUrl,
    }),
    types: list('TYPES', {
      description: 'Only events of these types: order.paid,payment.*',
      expects: 'types of events, separated by commas, such as order.paid,payment.*',
      parse: parseTypes,
    }),
    secret: value('SECRET', {
      description: 'Sign with this secret. Default: a new one, which is shown.',
      expects: 'whsec_ followed by base64 of 24 to 64 bytes',
      parse: parseSecret,
    }),
    json: flag('Print each event as one line of JSON.'),
  },
  run: ({ forward: url, types: given, secret: own, json }, terminal): Promise<ExitCode> =>
    withExistingApplication(async ({ application: { unitOfWork }, clock }) => {
      const signal = terminal.interruptSignal();
      const types = given.length === 0 ? undefined : WebhookEndpoint.typesOf({ eventTypes: given.flat() });
      const secret = own ?? WebhookSecret.of(randomSecret());
      const forwarder = url === undefined ? undefined : openForwarder(url, secret, clock);
      const notify = terminal.notify;
      const filter = types === undefined ? {} : { types };
      if (url !== undefined) await notify(`Events are forwarded to ${url}, signed with the secret ${secret}`);
      const events = await followFeed({ unitOfWork, filter, signal, notify });
      await notify('Waiting for events. Press Ctrl-C to end.');
      try {
        for await (const event of events) {
          const shown = showEvents.event(event);
          const result = await forwarder?.forward(event.id, shown, signal);
          await terminal.print(json ? `${JSON.stringify(shown)}\n` : lineOf(event, result, terminal));
          if (json && result !== undefined) await notify(`${event.sequence} ${event.type}: ${result}`);
        }
      } catch (error) {
        if (error !== signal.reason) throw error;
      } finally {
        forwarder?.close();
      }
      return exitCodeForSignal(signal);
    }),
});

/** Every version changes these. */
const changeOfEach = ['version', 'updated_at'];

/** `12:00:00  1042  order.paid  order 01a2… version 3  status  204 in 12 ms` */
const lineOf = (event: Event, result: string | undefined, { colours }: Terminal): string => {
  const { sequence, type, timestamp, subject, changed } = event;
  const names = changed.filter((name) => !changeOfEach.includes(name)).join(', ');
  const isSuccess = result?.startsWith('2');
  const cells = [
    colours.dim(timestamp.slice(11, 19)),
    `${sequence}`.padStart(6),
    type.padEnd(24),
    `${subject.type} ${subject.id} version ${subject.version}`,
    ...(names === '' ? [] : [colours.dim(names)]),
    ...(result === undefined ? [] : [isSuccess ? colours.success(result) : colours.error(result)]),
  ];
  return `${cells.join('  ')}\n`;
};
