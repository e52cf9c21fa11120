import { webhookEndpointView } from '#adapters/http/v1/webhook-endpoints.ts';
import type { Application } from '#application/application.ts';
import type { Feed } from '#application/ports/events.ts';
import type { ReadRepositories } from '#application/ports/repositories.ts';
import type { ShownEndpoint } from '#application/webhooks/shown-endpoints.ts';
import { DomainError, invalidField } from '#domain/errors.ts';
import { Instant } from '#domain/instant.ts';
import { WebhookEndpoint, type WebhookEndpointId } from '#domain/webhooks/endpoint.ts';
import { integerBetween } from '../../config/env-parser.ts';
import { command, flag, value } from '../framework/command.ts';
import { UsageError } from '../framework/exit-codes.ts';
import type { Progress } from '../framework/progress.ts';
import { renderTable } from '../framework/table.ts';
import { withExistingApplication } from '../open-application.ts';
import { systemCaller } from '../system-caller.ts';
import { endpointId, requireEndpoint } from './endpoint-operand.ts';

/** How many events one read of the feed returns. */
const pageSize = 500;

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

export const webhooksReplay = command({
  name: 'webhooks replay',
  description: 'Deliver earlier events to a webhook endpoint again, in place of where it is.',
  details: [
    'Receivers tell repetitions by the header webhook-id, which stays the same. An endpoint that is behind receives everything after its position anyway: an event ahead of it is rejected.',
  ],
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
    quiet: flag('Show no progress.'),
  },
  run: async ({ id, from, since, quiet }, terminal) => {
    if ((from === undefined) === (since === undefined))
      throw new UsageError('webhooks replay requires exactly one of --from and --since.');
    await withExistingApplication(async ({ application }) => {
      const { useCases, unitOfWork } = application;
      await requireEndpoint(id, application);
      const progress = terminal.progress(!quiet);
      const position =
        from === undefined
          ? await positionBefore(since as Instant, application, progress).finally(progress.end)
          : Number(from) - 1;
      const change = useCases.webhookEndpoints.change(systemCaller, {
        ...{ id, expectedVersions: undefined, changes: { position } },
      });
      const { status } = await unitOfWork.run(async (repositories) => {
        if (from !== undefined) requireKept(from, await repositories.events.feed());
        await requireNoSkip(id, position, repositories);
        return change(repositories);
      });
      const when = status === 'enabled' ? '' : ' once it is enabled';
      await terminal.notify(
        `The endpoint ${id} receives its events from sequence ${position + 1} on${when}.`,
      );
    });
  },
});

/** @throws DomainError 'validation' */
const requireKept = (from: number, { first, last }: Feed): void => {
  if (from >= first && from <= last + 1) return;
  throw invalidField(
    'from',
    `must be from ${first} to ${last + 1}, because that event must exist or be the next, not ${from}`,
  );
};

/** A position ahead of the endpoint's skips what is in between for good. @throws DomainError 'invalid-state' */
const requireNoSkip = async (
  id: WebhookEndpointId,
  position: number,
  { endpointPositions }: Pick<ReadRepositories, 'endpointPositions'>,
): Promise<void> => {
  const current = (await endpointPositions.find(id))?.position ?? position;
  if (position <= current) return;
  throw new DomainError(
    'invalid-state',
    `The endpoint ${id} is at position ${current} and receives the events after it anyway. From sequence ${position + 1} on it would never receive events ${current + 1} to ${position}. Nothing was changed.`,
  );
};

/**
 * Finds the sequence before the first event at or after a time. Times need not ascend, because a clock may jump: only reading every
 * earlier event proves that it is the first.
 * @returns the last sequence of the feed where no event is at or after the time
 */
export const positionBefore = async (
  since: Instant,
  { unitOfWork }: Pick<Application, 'unitOfWork'>,
  progress: Pick<Progress, 'update'>,
): Promise<number> => {
  const { first, last } = await unitOfWork.read(({ events }) => events.feed());
  const begin = first - 1;
  for (let after = begin; after < last; ) {
    const page = { after, limit: pageSize };
    const { rows } = await unitOfWork.read(({ events }) => events.page({}, page));
    const found = rows.find(({ timestamp }) => timestamp >= since);
    if (found !== undefined) return found.sequence - 1;
    // An empty page: everything up to the end was deleted meanwhile.
    after = rows.at(-1)?.sequence ?? last;
    progress.update({ done: after - begin, share: (after - begin) / (last - begin), unit: 'events' });
  }
  return last;
};
