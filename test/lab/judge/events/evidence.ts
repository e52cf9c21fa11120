import type { Acquisition } from '../../../chaos/events/probes.ts';
import type { ReadEvent } from '../../../chaos/events/reader-file.ts';
import type { Receipt } from '../../../chaos/events/receiver.ts';
import type { LastEvent, SeenEvent } from '../../../chaos/events/resources.ts';
import type { ServerProcess } from '../../../chaos/server.ts';
import type { Violation } from '../../violations.ts';

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
export interface AudienceEvidence {
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
export type AudienceJudge = (evidence: AudienceEvidence) => Violation[];
