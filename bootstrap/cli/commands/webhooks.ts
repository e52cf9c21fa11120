import { setTimeout as wait } from 'node:timers/promises';
import { webhookEndpointView } from '#adapters/http/v1/webhook-endpoints.ts';
import type { Application } from '#application/application.ts';
import type { Clock, NewId } from '#application/ports/system.ts';
import { acquireWebhookLease } from '#application/webhooks/lease.ts';
import type { ShownEndpoint } from '#application/webhooks/shown-endpoints.ts';
import { DomainError } from '#domain/errors.ts';
import { type EventType, eventTypes } from '#domain/event.ts';
import { Instant } from '#domain/instant.ts';
import { Id } from '#domain/resource.ts';
import type { WebhookDelivery, WebhookDeliveryId } from '#domain/webhooks/delivery.ts';
import { WebhookEndpoint, type WebhookEndpointId } from '#domain/webhooks/endpoint.ts';
import { integerBetween, oneOf } from '../../config/env-parser.ts';
import { command, flag, required, value } from '../framework/command.ts';
import { UsageError } from '../framework/exit-codes.ts';
import { renderTable } from '../framework/table.ts';
import { withExistingApplication } from '../open-application.ts';
import { systemCaller } from '../system-caller.ts';

/**
 * How long the result of a test is waited for, in milliseconds: 20 s, because an attempt takes up to 15 s. Where no server delivers,
 * one may be starting: that is waited for.
 */
const testTimeoutMs = 20_000;
const serverTimeoutMs = 5_000;
const testPollMs = 200;

/** How many events one read of the feed returns. */
const pageSize = 500;

const endpointId = required('ENDPOINT', {
  description: "The endpoint's ID, as shown by portico webhooks list.",
  expects: 'the ID of an endpoint, as shown by portico webhooks list',
  parse: (text) => Id.parse<WebhookEndpointId>(text),
});

const requireEndpoint = async (
  id: WebhookEndpointId,
  { unitOfWork }: Pick<Application, 'unitOfWork'>,
): Promise<WebhookEndpoint> => {
  const endpoint = await unitOfWork.read(({ webhookEndpoints }) => webhookEndpoints.find(id));
  if (endpoint === undefined)
    throw new DomainError(
      'not-found',
      `There is no webhook endpoint ${id}. portico webhooks list shows all.`,
    );
  return endpoint;
};

export const webhooksList = command({
  name: 'webhooks list',
  description: 'List webhook endpoints: whether they receive events, and how many events they are behind.',
  isReadOnly: true,
  options: { json: flag('Print the endpoints as a JSON array.') },
  run: ({ json }, terminal) =>
    withExistingApplication(async ({ application: { useCases, unitOfWork } }) => {
      const list = useCases.webhookEndpoints.list(systemCaller, { limit: WebhookEndpoint.maxCount });
      const { rows: endpoints } = await unitOfWork.read(list);
      if (json) return terminal.print(`${JSON.stringify(endpoints.map(webhookEndpointView.encode))}\n`);
      if (endpoints.length === 0)
        return terminal.notify('No webhook endpoints found. POST /v1/webhook-endpoints creates one.');
      const { last } = await unitOfWork.read(({ events }) => events.feed());
      const row = (endpoint: ShownEndpoint): readonly string[] => [
        endpoint.id,
        endpoint.url,
        endpoint.disabledReason === null ? 'enabled' : `disabled (${endpoint.disabledReason})`,
        `${Math.max(0, last - endpoint.position)}`,
        endpoint.failingSince ?? 'no',
      ];
      const header = ['ID', 'URL', 'STATUS', 'LAG', 'FAILING SINCE'];
      return terminal.print(renderTable([header, ...endpoints.map(row)], terminal.columns));
    }),
});

export const webhooksTest = command({
  name: 'webhooks test',
  description: 'Send an example event to a webhook endpoint, and wait for the result, up to 20 seconds.',
  details: [
    'A running server sends it, marked "test": true. Exits with 1 when the receiver does not accept it, or when there is no result in time.',
  ],
  operands: { id: endpointId },
  options: {
    type: value('TYPE', {
      description: 'The type of the example. Default: order.paid.',
      expects: 'a type of event, such as order.paid',
      parse: oneOf<EventType>(eventTypes),
    }),
  },
  run: ({ id, type: eventType = 'order.paid' }, terminal) =>
    withExistingApplication(async ({ application, ...system }) => {
      const { useCases, unitOfWork } = application;
      const { status } = await requireEndpoint(id, application);
      const create = useCases.webhookDeliveries.create(systemCaller, { endpointId: id, eventType });
      const delivery = await unitOfWork.run(create);
      if (status === 'disabled') {
        return terminal.notify(
          `Created the delivery ${delivery.id}. The endpoint is disabled: it is sent once the endpoint is enabled.`,
        );
      }
      const result = await resultOf(delivery.id, { unitOfWork, ...system });
      if (result === 'no-server') {
        return terminal.notify(
          `Created the delivery ${delivery.id}. No server delivers webhooks now: it is sent when one runs.`,
        );
      }
      const [attempt] = result?.attempts ?? [];
      if (attempt === undefined) {
        throw new DomainError(
          'invalid-state',
          `The delivery ${delivery.id} has no result after ${testTimeoutMs / 1_000} seconds. Earlier deliveries may have to come first, the endpoint may have failed too often to be tried more than once a minute, or its secret cannot be decrypted: see portico webhooks list and the log of the servers.`,
        );
      }
      const { durationMs, statusCode, error } = attempt;
      const response = statusCode === null ? '' : ` with status ${statusCode}`;
      if (error !== null) {
        throw new DomainError(
          'invalid-state',
          `The receiver did not accept the delivery ${delivery.id}: ${error}${response} after ${durationMs} ms.`,
        );
      }
      return terminal.notify(
        `The receiver accepted the delivery ${delivery.id}${response} after ${durationMs} ms.`,
      );
    }),
});

interface System {
  readonly unitOfWork: Application['unitOfWork'];
  readonly clock: Clock;
  readonly newId: NewId;
}

/** Waits for the first attempt. @returns the delivery, undefined when there was no attempt in time */
const resultOf = async (
  id: WebhookDeliveryId,
  system: System,
): Promise<WebhookDelivery | 'no-server' | undefined> => {
  for (let waited = testPollMs; waited <= testTimeoutMs; waited += testPollMs) {
    await wait(testPollMs);
    const delivery = await system.unitOfWork.read(({ webhookDeliveries }) => webhookDeliveries.find(id));
    if (delivery === undefined || delivery.attempts.length > 0) return delivery;
    if (waited !== serverTimeoutMs) continue;
    // A lease that can be acquired has no holder. It is acquired for no time, so that a server can have it at once.
    if (await acquireWebhookLease(system, system.newId(), 0)) return 'no-server';
  }
  return undefined;
};

export const webhooksReplay = command({
  name: 'webhooks replay',
  description: 'Deliver earlier events to a webhook endpoint again, in place of where it is.',
  details: ['Receivers tell repetitions by the header webhook-id, which stays the same.'],
  operands: { id: endpointId },
  options: {
    from: value('SEQUENCE', {
      description: 'The sequence of the first event to deliver.',
      expects: 'a sequence, from 1',
      parse: integerBetween(1, Number.MAX_SAFE_INTEGER),
    }),
    since: value('TIME', {
      description: 'Deliver what happened then or later: 2026-03-01T00:00:00+01:00.',
      expects: 'a time in RFC 3339, such as 2026-03-01T00:00:00+01:00',
      parse: Instant.parse,
    }),
  },
  run: async ({ id, from, since }, terminal) => {
    if ((from === undefined) === (since === undefined))
      throw new UsageError('webhooks replay requires exactly one of --from and --since.');
    await withExistingApplication(async ({ application }) => {
      const { useCases, unitOfWork } = application;
      await requireEndpoint(id, application);
      const position = since === undefined ? Number(from) - 1 : await positionBefore(since, application);
      const change = useCases.webhookEndpoints.change(systemCaller, {
        ...{ id, expectedVersions: undefined, changes: { position } },
      });
      const { status } = await unitOfWork.run(change);
      const when = status === 'enabled' ? '' : ' once it is enabled';
      await terminal.notify(
        `The endpoint ${id} receives its events from sequence ${position + 1} on${when}.`,
      );
    });
  },
});

/**
 * How far the times of neighbours can descend, in milliseconds: an event has the time of its change, and its sequence from the commit,
 * which a deadline bounds.
 */
const maxDisorderMs = 60_000;

/** The sequence before the first event at or after a time. */
const positionBefore = async (
  since: Instant,
  { unitOfWork }: Pick<Application, 'unitOfWork'>,
): Promise<number> => {
  const read = (after: number, limit: number) =>
    unitOfWork.read(({ events }) => events.page({}, { after, limit }));
  const { first, last } = await unitOfWork.read(({ events }) => events.feed());
  const certain = Instant.plus(since, -maxDisorderMs);
  let [low, high] = [first - 1, last];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const event = (await read(middle, 1)).rows[0];
    if (event !== undefined && event.timestamp < certain) low = middle + 1;
    else high = middle;
  }
  for (let after = low; after < last; after += pageSize) {
    const found = (await read(after, pageSize)).rows.find(({ timestamp }) => timestamp >= since);
    if (found !== undefined) return found.sequence - 1;
  }
  return last;
};
