import { statusChip } from '../../components/chips.ts';
import { formatTime } from '../../format.ts';
import { html, type TemplateResult } from '../../lit.ts';
import type { WebhookDelivery, WebhookEndpoint } from '../../resources.ts';
import type { Content } from '../../view.ts';

type State = WebhookEndpoint['status'] | 'failing';

export const stateOf = ({
  status,
  failing_since: since,
}: Pick<WebhookEndpoint, 'status' | 'failing_since'>): State =>
  status === 'enabled' && since !== null ? 'failing' : status;

const stateWords: Readonly<Record<State, string>> = { enabled: 'On', disabled: 'Off', failing: 'Failing' };

/** Whether an endpoint gets what happens. */
export const endpointChip = (endpoint: WebhookEndpoint): TemplateResult => {
  const state = stateOf(endpoint);
  return statusChip(state, stateWords[state]);
};

const deliveryWords: Readonly<Record<WebhookDelivery['status'], string>> = {
  pending: 'Waiting',
  succeeded: 'Arrived',
  failed: 'Given up',
  canceled: 'Canceled',
};

/** What became of a delivery. */
export const deliveryChip = (status: WebhookDelivery['status']): TemplateResult =>
  statusChip(status, deliveryWords[status]);

/** Why an attempt has failed. */
const errorWords: Readonly<Record<NonNullable<Attempt['error']>, string>> = {
  connection_failed: 'The receiver could not be reached.',
  tls_failed: 'There was no secure connection: look at the receiver’s certificate.',
  timed_out: 'The receiver took too long.',
  address_rejected: 'The receiver has an address that is not public, and Portico does not call it.',
  name_unknown: 'The receiver’s name is unknown on the internet: look at the address for a typing error.',
  status: 'The receiver did not accept it.',
};

type Attempt = WebhookDelivery['attempts'][number];

export const attemptWords = ({ error, status_code: code }: Attempt): string => {
  const words = error === null ? 'The receiver has accepted it.' : (errorWords[error] ?? error);
  return code === null ? words : `${words} It responded with ${code}.`;
};

const reasons: Readonly<Record<string, string>> = {
  gone: 'Portico has switched it off, because the receiver said that it is gone (410).',
  failing: 'Portico has switched it off, because it had failed for too long.',
  by_hand: 'It was switched off by hand.',
};

/** What is wrong with an endpoint, and what to do; undefined where nothing is. */
export const problemOf = (endpoint: WebhookEndpoint): string | undefined => {
  const { status, failing_since: since, disabled_reason: reason } = endpoint;
  if (status === 'disabled')
    return `${reasons[reason ?? ''] ?? ''} What happens meanwhile is kept, and sent once you switch it on again.`;
  return since === null
    ? undefined
    : `Nothing has arrived there since ${formatTime(since)}. Portico goes on trying. Look at the last messages to see why.`;
};

/** A heading, a problem, and where to go, above everything else. */
export const banner = (title: Content, text: string): TemplateResult =>
  html`<div class="banner"><p><b>${title}</b></p><p>${text}</p></div>`;

export const onlyAdmins = (what: string): TemplateResult =>
  html`<p class="soft">Only an administrator can ${what}.</p>`;
