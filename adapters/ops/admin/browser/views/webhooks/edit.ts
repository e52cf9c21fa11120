import { mayBeAdmin } from '../../components/caller.ts';
import { field } from '../../components/dialog.ts';
import { type Choice, radios, type ViewForm, viewForm } from '../../components/form.ts';
import { checkboxGroups } from '../../components/groups.ts';
import { showSecret } from '../../components/secret.ts';
import { load, show } from '../../components/states.ts';
import { textOf } from '../../elements.ts';
import { eventGroups } from '../../event-types.ts';
import { html, nothing } from '../../lit.ts';
import type { WebhookEndpoint } from '../../resources.ts';
import { hrefOf } from '../../router.ts';
import type { Context, View } from '../../view.ts';
import { onlyAdmins } from './webhook-labels.ts';

const orderings: readonly Choice<WebhookEndpoint['ordering']>[] = [
  [
    'parallel',
    'As fast as possible',
    'Several at a time, in any order. One that does not arrive is tried ten times over three days, and holds back no other. Right for most programs.',
  ],
  [
    'sequential',
    'One after the other, in order',
    'The next one is sent only after the one before it has arrived. If one does not arrive, all others wait for it.',
  ],
];

const payloads: readonly Choice<WebhookEndpoint['payload']>[] = [
  [
    'full',
    'What happened, with all details',
    'The whole order, payment or product as it is then, with names and addresses.',
  ],
  ['thin', 'Only that it happened', 'No personal data. The program reads the details itself, with a key.'],
];

/** What of an endpoint the form has. */
type Editable = Pick<WebhookEndpoint, 'url' | 'description' | 'event_types' | 'ordering' | 'payload'>;

type Pattern = WebhookEndpoint['event_types'][number];

/** The values of a new endpoint. */
const usual: Editable = {
  ...{ url: '', description: null, event_types: ['*'] },
  ...{ ordering: 'parallel', payload: 'full' },
};

/** The form of a new endpoint. */
export const newWebhookView = (context: Context): View => {
  const caller = load(context, () => context.api.caller());
  const form = endpointForm(context, usual, {
    submit: 'Add the webhook',
    cancel: '#/webhooks',
    run: async (body, idempotencyKey) => {
      const { data } = await context.api.send('POST /webhook-endpoints', { body, idempotencyKey });
      await showEndpointSecret(context, data.secret ?? '');
      if (!context.signal.aborted) location.replace(hrefOf(`/webhooks/${data.id}`));
    },
  });
  return {
    title: 'Add a webhook',
    hasUnsaved: form.hasUnsaved,
    template: () => show(caller, (value) => (mayBeAdmin(value) ? form() : onlyAdmins('add a webhook'))),
  };
};

export const showEndpointSecret = (context: Context, secret: string): Promise<void> =>
  showSecret(context, {
    ...{ title: 'The secret of this webhook', label: 'Secret', secret },
    text: 'Give it to the program that receives the webhook: with it the program can tell that a message is really from your shop. It is shown this once.',
  });

/** The form that changes one. */
export const editWebhookView = (context: Context): View => {
  const { api, params, signal } = context;
  const address = hrefOf(`/webhooks/${params.id}`);
  const loading = load(context, async () => {
    const { data } = await api.send('GET /webhook-endpoints/{id}', { path: { id: params.id }, signal });
    return endpointForm(context, data, {
      submit: 'Save',
      cancel: address,
      run: async (body, idempotencyKey) => {
        await api.send('PATCH /webhook-endpoints/{id}', {
          ...{ path: { id: data.id }, body, ifMatch: data.version, idempotencyKey },
        });
        context.notify('The webhook is changed.');
        if (!signal.aborted) location.hash = address;
      },
    });
  });
  return {
    title: 'Change a webhook',
    hasUnsaved: () => loading.value?.hasUnsaved() ?? false,
    template: () => show(loading, (form) => form()),
  };
};

interface EndpointForm {
  readonly submit: string;
  readonly cancel: string;
  readonly run: (body: Editable, idempotencyKey: string) => Promise<void>;
}

const endpointForm = (
  context: Context,
  endpoint: Editable,
  { submit, cancel, run }: EndpointForm,
): ViewForm => {
  const chosen = new Set<Pattern>(endpoint.event_types.filter((pattern) => pattern !== '*'));
  let isAll = endpoint.event_types.includes('*');
  const chooseAll = (value: 'all' | 'some') => {
    isAll = value === 'all';
    context.update();
  };

  const fields = () => html`
    ${field('Send to', 'url', {
      ...{ value: endpoint.url, required: true, type: 'url', maxlength: 2048 },
      hint: 'The address of the program that receives it. It begins with https://.',
    })}
    ${field('What it is for', 'description', {
      ...{
        value: endpoint.description ?? '',
        maxlength: 200,
        hint: 'For yourself: “Accounting”, “Till in the shop”. Optional.',
      },
    })}
    ${radios(
      'What is sent',
      'what',
      [
        ['all', 'Everything', 'Also what later versions of Portico add.'],
        ['some', 'Only what I choose'],
      ],
      isAll ? 'all' : 'some',
      chooseAll,
    )}
    ${isAll ? nothing : checkboxGroups(context, eventGroups, { chosen, allOf: ({ name }) => [`${name}.*`] })}
    ${radios('In which order', 'ordering', orderings, endpoint.ordering)}
    ${radios('How much of it', 'payload', payloads, endpoint.payload)}
  `;

  return viewForm(context, {
    ...{ submit, cancel, fields },
    run: async (values, keyOf) => {
      if (!isAll && chosen.size === 0) throw new Error('Choose at least one thing to send.');
      const body: Editable = {
        url: textOf(values, 'url'),
        description: textOf(values, 'description') || null,
        event_types: isAll ? ['*'] : [...chosen],
        ordering: chosenOf(orderings, values['ordering'], endpoint.ordering),
        payload: chosenOf(payloads, values['payload'], endpoint.payload),
      };
      return run(body, keyOf(body));
    },
  });
};

/** @returns the value of a choice that was sent; `otherwise` where none was */
const chosenOf = <Value extends string>(
  choices: readonly Choice<Value>[],
  sent: string | undefined,
  otherwise: Value,
): Value => choices.find(([value]) => value === sent)?.[0] ?? otherwise;
