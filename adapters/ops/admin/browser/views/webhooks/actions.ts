import type { BodyOf } from '../../../client/index.ts';
import { confirmAction } from '../../components/dialog.ts';
import { type Choice, selectField } from '../../components/form.ts';
import { eventGroups, eventLabel } from '../../event-types.ts';
import { html } from '../../lit.ts';
import type { WebhookDelivery, WebhookEndpoint } from '../../resources.ts';
import type { Context } from '../../view.ts';

const change = async (
  { api }: Context,
  { id, version }: WebhookEndpoint,
  body: BodyOf<'PATCH /webhook-endpoints/{id}'>,
  idempotencyKey: string,
) => api.send('PATCH /webhook-endpoints/{id}', { path: { id }, body, ifMatch: version, idempotencyKey });

export const disableEndpoint = (context: Context, endpoint: WebhookEndpoint) =>
  confirmAction({
    title: 'Switch this webhook off?',
    text: 'Nothing is sent there until you switch it on again. What happens meanwhile is kept, and sent then.',
    confirm: 'Switch off',
    isDangerous: true,
    run: (_, key) => change(context, endpoint, { status: 'disabled' }, key),
  });

export const enableEndpoint = (context: Context, endpoint: WebhookEndpoint) =>
  confirmAction({
    title: 'Switch this webhook on?',
    text: 'It gets what it has missed, the oldest first, and then what happens from now on.',
    confirm: 'Switch on',
    run: (_, key) => change(context, endpoint, { status: 'enabled' }, key),
  });

export const deleteEndpoint = ({ api }: Context, { id, version, url }: WebhookEndpoint) =>
  confirmAction({
    title: 'Delete this webhook?',
    text: `Nothing is sent to ${url} any more. What still waits is canceled. It cannot be undone.`,
    confirm: 'Delete',
    isDangerous: true,
    run: async () => {
      await api.send('DELETE /webhook-endpoints/{id}', { path: { id }, ifMatch: version });
      return true;
    },
  });

const overlaps: readonly Choice[] = [
  ['86400', 'For one more day'],
  ['3600', 'For one more hour'],
  ['604800', 'For one more week'],
  ['0', 'Not at all: it has leaked'],
];

export const rotateSecret = ({ api }: Context, { id }: WebhookEndpoint) =>
  confirmAction({
    title: 'Make a new secret?',
    text: 'You see it once, and give it to the program that receives the webhook.',
    fields: () =>
      selectField('How long the old secret stays valid', 'seconds', overlaps, {
        hint: 'While both are valid, nothing gets lost.',
      }),
    confirm: 'Make a new secret',
    run: async ({ seconds }, idempotencyKey) => {
      const request = { path: { endpoint_id: id }, body: { previous_expires_in: Number(seconds) } };
      return (await api.send('POST /webhook-endpoints/{endpoint_id}/secrets', { ...request, idempotencyKey }))
        .data;
    },
  });

const exampleTypes = eventGroups.flatMap(({ items }) => items.map(([type]) => type));
const exampleChoices = exampleTypes.map((type): Choice => [type, eventLabel(type)]);

/** @returns the delivery */
export const sendExample = ({ api }: Context, { id }: WebhookEndpoint) =>
  confirmAction({
    title: 'Send an example',
    text: 'It is made up, and marked as a test. Nothing happens in your shop.',
    fields: () => selectField('Of what', 'type', exampleChoices),
    confirm: 'Send it',
    run: async (values, idempotencyKey) => {
      const type = exampleTypes.find((each) => each === values['type']);
      if (type === undefined) throw new Error('Choose of what to send an example.');
      const body = { endpoint_id: id, event_type: type };
      return (await api.send('POST /webhook-deliveries', { body, idempotencyKey })).data;
    },
  });

/** Of an example another example is sent, because no event has its id. @returns the new delivery */
export const sendAgain = (
  { api }: Context,
  { endpoint_id: endpoint, event_id: event, event_type: type, sequence }: WebhookDelivery,
) =>
  confirmAction({
    title: 'Send it again?',
    text: 'The program gets the same message once more. If it has had it before, it should notice that and do nothing.',
    confirm: 'Send again',
    run: async (_, idempotencyKey) => {
      const body = {
        endpoint_id: endpoint,
        ...(sequence === null ? { event_type: type } : { event_id: event }),
      };
      return (await api.send('POST /webhook-deliveries', { body, idempotencyKey })).data;
    },
  });

export const replayFrom = (
  { api }: Context,
  { endpoint_id: id, event_type: type }: WebhookDelivery,
  sequence: number,
) =>
  confirmAction({
    title: 'Send everything again from here?',
    text: html`This message (${eventLabel(type)}) and <b>everything that happened after it</b> is sent once more, in so far as this webhook gets it. That
      may be thousands of messages. Do it when the program has lost what it got, for instance after it was restored from a backup.`,
    confirm: 'Send everything again',
    isDangerous: true,
    run: async (_, idempotencyKey) =>
      api.send('PATCH /webhook-endpoints/{id}', {
        ...{ path: { id }, body: { position: sequence - 1 }, idempotencyKey },
      }),
  });
