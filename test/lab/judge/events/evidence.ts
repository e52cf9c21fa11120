import type { SubjectType } from '#domain/event.ts';
import type { Json } from '../../../http/support/client.ts';
import type { Violation } from '../../violations.ts';

/** An event, as an administrator gets it. */
export interface SeenEvent {
  readonly sequence: number;
  readonly id: string;
  readonly type: string;
  readonly subject: { readonly type: SubjectType; readonly id: string; readonly version: number };
  readonly data: Json;
}

/** The last event of a subject, and what GET shows of it. */
export interface LastEvent {
  readonly event: SeenEvent;
  /** Undefined for what was not found. */
  readonly resource: Json | undefined;
}

/** An event that a reader of the feed has got. */
export interface ReadEvent {
  readonly sequence: number;
  readonly id: string;
}

/** A webhook that arrived, and was verified when it did: a signature is valid for five minutes. */
export interface Receipt {
  /** The header `webhook-id`. */
  readonly id: string;
  /** Of the body. */
  readonly eventId: string;
  readonly sequence: number;
  /** Why the `standardwebhooks` package rejects it; null when it does not. */
  readonly problem: string | null;
  /** The status of the response; 0 when there was none. */
  readonly status: number;
}

/** A process that has acquired the lease of deliveries. */
export interface Acquisition {
  /** Null where the database does not know its clients. */
  readonly process: string | null;
  /** In milliseconds since 1970. */
  readonly at: number;
}

/** A process of a server, and from when to when it ran, in milliseconds since 1970. */
export interface ServerProcess {
  readonly process: string;
  readonly from: number;
  /** Since when it serves. */
  servingFrom?: number;
  to?: number;
}

/** An endpoint of webhooks, what Portico says of it, and what its receiver has got. */
export interface EndpointEvidence {
  readonly name: string;
  /** The types that match. */
  readonly types: readonly string[];
  readonly ordering: 'parallel' | 'sequential';
  /** Whether its receiver works, so that it must have got everything. */
  readonly works: boolean;
  /** Its position at its creation. */
  readonly begin: number;
  readonly position: number;
  /** How long after the last kill it had got everything; undefined when it never had. */
  readonly lagMs: number | undefined;
  readonly deliveries: readonly { readonly eventId: string; readonly status: string }[];
  /** In the order in which they came. */
  readonly receipts: readonly Receipt[];
}

/** What a feed has told, and what its reader and the receivers of webhooks got. */
export interface ReceiversEvidence {
  /** The whole feed at the end, as the API shows it. */
  readonly events: readonly Omit<SeenEvent, 'data'>[];
  readonly lastEvents: readonly LastEvent[];
  /** What the reader has got, in the order in which it did. */
  readonly read: readonly ReadEvent[];
  /** Responses that the reader should not have got. */
  readonly problems: readonly string[];
  readonly endpoints: readonly EndpointEvidence[];
  /** The processes of servers. */
  readonly lives: readonly Readonly<ServerProcess>[];
  /** Who has acquired the lease of deliveries, in order of time. */
  readonly acquisitions: readonly Acquisition[];
  /** When deliveries were attempted, in milliseconds since 1970. */
  readonly attempts: readonly number[];
  readonly endedAt: number;
  /** Where a secret of an endpoint is shown. */
  readonly leaks: readonly string[];
}

/** Finds one sort of violation. */
export type ReceiversJudge = (evidence: ReceiversEvidence) => Violation[];

/** What endpoints must have got. */
export interface EndpointsEvidence extends Pick<ReceiversEvidence, 'endpoints'> {
  readonly events: readonly Pick<SeenEvent, 'sequence' | 'id' | 'type'>[];
}

/** Finds one in what endpoints have got, whatever else follows the feed. */
export type EndpointsJudge = (evidence: EndpointsEvidence) => Violation[];
