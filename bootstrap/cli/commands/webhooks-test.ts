import { sleep } from '#adapters/support/time.ts';
import type { Application } from '#application/application.ts';
import type { Clock, NewId } from '#application/ports/system.ts';
import { acquireWebhookLease } from '#application/webhooks/lease.ts';
import { DomainError } from '#domain/errors.ts';
import { type EventType, eventTypes } from '#domain/event.ts';
import type { WebhookDelivery, WebhookDeliveryId } from '#domain/webhooks/delivery.ts';
import { oneOf } from '../../config/env-parser.ts';
import { command, value } from '../framework/command.ts';
import { withExistingApplication } from '../open-application.ts';
import { systemCaller } from '../system-caller.ts';
import { endpointId, requireEndpoint } from './endpoint-operand.ts';

/**
 * How long the result of a test is waited for, in milliseconds: 20 s, because an attempt lasts up to 15 s. Where no server delivers,
 * one may be starting: that is waited for.
 */
const testTimeoutMs = 20_000;
const serverTimeoutMs = 5_000;
const testPollMs = 200;

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
export const resultOf = async (
  id: WebhookDeliveryId,
  system: System,
): Promise<WebhookDelivery | 'no-server' | undefined> => {
  for (let waited = testPollMs; waited <= testTimeoutMs; waited += testPollMs) {
    await sleep(testPollMs);
    const delivery = await system.unitOfWork.read(({ webhookDeliveries }) => webhookDeliveries.find(id));
    if (delivery === undefined || delivery.attempts.length > 0) return delivery;
    if (waited !== serverTimeoutMs) continue;
    // A lease that can be acquired has no holder. It is acquired for no time, so that a server can have it at once.
    if (await acquireWebhookLease(system, system.newId(), 0)) return 'no-server';
  }
  return undefined;
};
