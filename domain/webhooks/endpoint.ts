import { DomainError, invalidField } from '../errors.ts';
import {
  type EventType,
  type EventTypePattern,
  eventTypePatterns,
  eventTypes,
  typesMatching,
} from '../event.ts';
import { Instant } from '../instant.ts';
import { type Id, newResource, type Resource, updated } from '../resource.ts';
import { integer, type Rule, requireValid, requireValidChanges } from '../rule.ts';
import { label } from '../text.ts';
import type { WebhookOrdering } from './attempts.ts';
import { webhookUrl } from './url.ts';

export type WebhookEndpointId = Id<'webhook-endpoint'>;
export type WebhookSecretId = Id<'webhook-secret'>;

/** What an endpoint receives: one type, all of one subject (`order.*`), or everything (`*`). */
export const webhookEventTypes = ['*', ...eventTypePatterns] as const;
export type WebhookEventType = EventTypePattern | '*';

export const webhookStatuses = ['enabled', 'disabled'] as const;
/** Why an endpoint is disabled: staff did it, the receiver answered 410, or it has failed for too long. */
export const webhookDisabledReasons = ['by_hand', 'gone', 'failing'] as const;
export type WebhookDisabledReason = (typeof webhookDisabledReasons)[number];

/** `thin` omits `data` and `changed`. */
export const webhookPayloads = ['full', 'thin'] as const;
export type WebhookPayload = (typeof webhookPayloads)[number];

/** What a client sees of a secret. */
export interface EndpointSecret extends Resource<WebhookSecretId> {
  readonly hint: string;
  /** From when on it signs nothing; null for the newest. */
  readonly expiresAt: Instant | null;
}

export interface WebhookEndpointDetails {
  readonly url: string;
  readonly eventTypes: readonly WebhookEventType[];
  readonly description: string | null;
  readonly ordering: WebhookOrdering;
  readonly payload: WebhookPayload;
}

/** What of an endpoint staff can change. */
export type WebhookEndpointChanges = Partial<WebhookEndpointDetails & Pick<WebhookEndpoint, 'status'>>;

/** Where events are sent to. How far they were enqueued is its `EndpointPosition`. */
export interface WebhookEndpoint extends Resource<WebhookEndpointId>, WebhookEndpointDetails {
  readonly status: (typeof webhookStatuses)[number];
  /** Null while it is enabled. */
  readonly disabledReason: WebhookDisabledReason | null;
  /** Newest first, one or two. */
  readonly secrets: readonly EndpointSecret[];
  /** The secrets themselves, encrypted, in the same order. */
  readonly sealedSecrets: readonly string[];
}

/** A secret and its encrypted text. */
export interface SealedSecret {
  readonly id: WebhookSecretId;
  readonly hint: string;
  readonly sealed: string;
}

const eventTypeList: Rule<readonly WebhookEventType[]> = {
  violation: (types) => {
    if (types.length === 0) return 'must have at least one item';
    return types.length > WebhookEndpoint.maxEventTypes
      ? `must have at most ${WebhookEndpoint.maxEventTypes} items`
      : undefined;
  },
  normalize: (types) => [...new Set(types)],
};

export const WebhookEndpoint = {
  /** How many endpoints a shop can have. */
  maxCount: 20,
  maxEventTypes: 50,
  /** For how long a replaced secret goes on signing, in seconds: up to a week, and a day by default. */
  secretOverlap: integer(0, 604_800),
  defaultSecretOverlap: 86_400,

  /** What a client that gives only a URL gets. */
  defaults: { eventTypes: ['*'], description: null, ordering: 'parallel', payload: 'full' } satisfies Omit<
    WebhookEndpointDetails,
    'url'
  >,

  rules: { url: webhookUrl, eventTypes: eventTypeList, description: label(0, 200) },

  /** @returns the details as they are kept @throws DomainError 'validation' */
  requireDetails: (details: WebhookEndpointDetails): WebhookEndpointDetails =>
    requireValid<WebhookEndpointDetails>(WebhookEndpoint.rules, details),

  /** @throws DomainError 'validation' */
  create: (
    id: WebhookEndpointId,
    details: WebhookEndpointDetails,
    secret: SealedSecret,
    at: Instant,
  ): WebhookEndpoint => ({
    ...newResource(id, at),
    ...WebhookEndpoint.requireDetails(details),
    ...{ status: 'enabled', disabledReason: null },
    ...secretsOf([secretRow(secret, at)], [secret.sealed]),
  }),

  /** @throws DomainError 'validation' */
  change: (endpoint: WebhookEndpoint, changes: WebhookEndpointChanges, at: Instant): WebhookEndpoint => {
    const valid = requireValidChanges<WebhookEndpointChanges>(WebhookEndpoint.rules, endpoint, changes);
    const { status = endpoint.status } = valid;
    const disabledReason = status === 'enabled' ? null : (endpoint.disabledReason ?? 'by_hand');
    return updated(endpoint, { ...valid, status, disabledReason }, at);
  },

  disable: (endpoint: WebhookEndpoint, reason: WebhookDisabledReason, at: Instant): WebhookEndpoint =>
    updated(endpoint, { status: 'disabled', disabledReason: reason }, at),

  /**
   * Adds the newest secret. The one before goes on signing for a while; those before it sign no longer.
   * @param overlapSeconds how long, as `secretOverlap` allows
   */
  addSecret: (
    endpoint: WebhookEndpoint,
    secret: SealedSecret,
    overlapSeconds: number,
    at: Instant,
  ): WebhookEndpoint => {
    const [previous] = endpoint.secrets;
    const [sealed] = endpoint.sealedSecrets;
    const keepsPrevious = previous !== undefined && sealed !== undefined && overlapSeconds > 0;
    const expiresAt = Instant.plus(at, overlapSeconds * 1000);
    const old = keepsPrevious ? [updated(previous, { expiresAt }, at)] : [];
    const oldSealed = keepsPrevious ? [sealed] : [];
    return updated(endpoint, secretsOf([secretRow(secret, at), ...old], [secret.sealed, ...oldSealed]), at);
  },

  /**
   * Removes a secret. The remaining one no longer expires.
   * @throws DomainError 'conflict' when no other one is valid
   */
  removeSecret: (endpoint: WebhookEndpoint, id: WebhookSecretId, at: Instant): WebhookEndpoint => {
    const index = endpoint.secrets.findIndex((secret) => secret.id === id);
    const left = endpoint.secrets.flatMap((secret, place) =>
      place === index || isExpired(secret, at)
        ? []
        : [{ secret, sealed: endpoint.sealedSecrets[place] ?? '' }],
    );
    const [newest, ...others] = left;
    if (newest === undefined)
      throw new DomainError('conflict', 'This is the last secret of the endpoint. Create another one first.');
    const { secret } = newest;
    const lasting = secret.expiresAt === null ? secret : updated(secret, { expiresAt: null }, at);
    return updated(
      endpoint,
      secretsOf(
        [lasting, ...others.map((other) => other.secret)],
        [newest.sealed, ...others.map((other) => other.sealed)],
      ),
      at,
    );
  },

  /** The secrets that sign at a time, newest first, with their encrypted texts. */
  validSecrets: (
    { secrets, sealedSecrets }: WebhookEndpoint,
    at: Instant,
  ): readonly Pick<SealedSecret, 'id' | 'sealed'>[] =>
    secrets.flatMap((secret, index) =>
      isExpired(secret, at) ? [] : [{ id: secret.id, sealed: sealedSecrets[index] ?? '' }],
    ),

  /** The types that an endpoint receives; undefined for all. */
  typesOf: ({
    eventTypes: wanted,
  }: Pick<WebhookEndpoint, 'eventTypes'>): readonly EventType[] | undefined => {
    if (wanted.includes('*')) return undefined;
    const types = new Set(wanted.flatMap((type) => (type === '*' ? [] : typesMatching(type))));
    return eventTypes.filter((type) => types.has(type));
  },

  /** @throws DomainError 'validation' for a time that no secret may overlap */
  requireOverlap: (seconds: number): void => {
    const problem = WebhookEndpoint.secretOverlap.violation(seconds);
    if (problem !== undefined) throw invalidField('previousExpiresIn', problem);
  },
};

const secretRow = ({ id, hint }: SealedSecret, at: Instant): EndpointSecret => ({
  ...newResource(id, at),
  hint,
  expiresAt: null,
});

const secretsOf = (secrets: readonly EndpointSecret[], sealedSecrets: readonly string[]) => ({
  secrets,
  sealedSecrets,
});

const isExpired = ({ expiresAt }: EndpointSecret, at: Instant): boolean =>
  expiresAt !== null && expiresAt <= at;
