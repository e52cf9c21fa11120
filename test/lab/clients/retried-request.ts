import { sleep } from '#adapters/support/time.ts';
import type { Random } from '#test/support/random.ts';
import type { ObservedDatabase } from '../databases.ts';
import type { ClientOutcome } from '../judge/evidence.ts';
import { type ViolationKind, type Violations, violation } from '../violations.ts';
import { describeResponse, isFinal, type ParsedResponse, parseResponse } from './response.ts';
import { type NoResponse, type ReachedServer, type Request, sendRequest } from './send-request.ts';

export type Kind =
  | 'product'
  | 'order'
  | 'item'
  | 'change'
  | 'payment'
  | 'cancellation'
  | 'capture'
  | 'refund'
  | 'stockChange'
  | 'user'
  | 'details'
  | 'review'
  | 'erasure';

/** The kinds in whose middle servers are killed most of the time. */
const killed: readonly Kind[] = ['payment', 'cancellation', 'capture', 'refund', 'erasure'];

/** A request under a key of its own. */
export interface IdempotentRequest extends Request {
  readonly key: string;
  readonly kind: Kind;
  /** The allowed final outcomes: a status, and the code of an error. */
  readonly expectedOutcomes: readonly string[];
  /** What is paid, canceled, captured, refunded or changed. */
  readonly subjectId?: string;
  /** The customer who may be erased, with the stored response. */
  readonly about?: { readonly isForgotten: boolean; readonly id?: string } | undefined;
}

/** What of a body the judge compares. */
interface AskedFields {
  readonly amount?: { readonly amount: number };
  readonly status?: string;
  readonly expected_refunded?: { readonly amount: number };
}

/** Limits in milliseconds of time in which at least one server was up. */
export interface WaitLimits {
  readonly stuckKeyMs: number;
  readonly unfinishedKeyMs: number;
}

/** The counts of requests. */
interface RequestCounts {
  requests: number;
  retries: number;
  /** Requests whose connection ended before the response. */
  lost: number;
  replays: number;
}

/** A server that a request can be sent to. */
interface Server extends ReachedServer {
  /** Called for each request in whose middle it may be killed. */
  requestSent(): void;
}

/** What came of a request that was sent once. */
export interface Attempt {
  readonly server: string;
  readonly path: string;
  /** 0 when there was no response. */
  readonly status: number;
  readonly code: string | null;
  /** By `performance.now()`. */
  readonly sentAt: number;
  readonly endedAt: number;
}

export interface Dependencies {
  readonly fleet: { readonly upMs: number; any(random: Random): Server };
  readonly violations: Violations;
  readonly counts: RequestCounts;
  readonly database: Pick<ObservedDatabase, 'query'>;
  readonly limits: WaitLimits;
  readonly onAttempt?: (attempt: Attempt) => void;
}

interface AttemptContext {
  readonly server: Server;
  /** Whether there was a final response before this attempt was sent. */
  readonly hadFinalResponse: boolean;
}

/** No server has sent a final response in time. This is reported already. */
export class NoFinalResponseError extends Error {}

/**
 * A request that is retried with the same idempotency key. Each later final response must equal the first one, and is
 * compared when it arrives.
 */
export class RetriedRequest {
  readonly request: IdempotentRequest;
  #response: ParsedResponse | undefined;
  #executions = 0;
  #attempts = 0;
  #inFlight = 0;
  #lastLeaseAt: number;
  #fencingToken: unknown = 'not read yet';
  #isStuck = false;
  #isCompared = false;
  /** The outcomes of the latest attempts, until there is a final response. */
  #attemptLog: string[] = [];
  readonly #dependencies: Dependencies;

  constructor(request: IdempotentRequest, dependencies: Dependencies) {
    this.request = request;
    this.#dependencies = dependencies;
    this.#lastLeaseAt = dependencies.fleet.upMs;
  }

  /** Whether a second final response has been compared with the first. */
  get isCompared(): boolean {
    return this.#isCompared;
  }

  /** The final response, if there is one. */
  get response(): ParsedResponse | undefined {
    return this.#response;
  }

  /** Whether an erasure may have removed the key, or emptied its response. Later responses are not compared then. */
  get isForgotten(): boolean {
    return this.request.about?.isForgotten ?? false;
  }

  /** For the judge. */
  get outcome(): ClientOutcome {
    const { kind, key, path, subjectId, about, body } = this.request;
    const { amount, status, expected_refunded: seen }: AskedFields = JSON.parse(body);
    const asked = { amount: amount?.amount, status, seen: seen?.amount };
    const { response, isForgotten } = this;
    return { ...{ kind, key, path, subjectId, personId: about?.id }, asked, response, isForgotten };
  }

  async attempt(server: Server, random: Random): Promise<void> {
    const { counts } = this.#dependencies;
    const before = this.#response;
    counts.requests += 1;
    if (before === undefined && this.#attempts > 0) counts.retries += 1;
    this.#attempts += 1;
    this.#inFlight += 1;
    // A replay does nothing that a kill could interrupt.
    if (before === undefined && killed.includes(this.request.kind)) server.requestSent();
    const cutAfter = random.chance(0.04) ? random.between(0, 40) : undefined;
    const sentAt = performance.now();
    const received = await sendRequest(server, this.request, { keepAlive: random.chance(0.7), cutAfter });
    const response = typeof received === 'string' ? undefined : parseResponse(received);
    this.#dependencies.onAttempt?.({
      ...{ server: server.name, path: this.request.path, sentAt, endedAt: performance.now() },
      ...{ status: response?.status ?? 0, code: response?.code ?? null },
    });
    this.#inFlight -= 1;
    if (typeof received === 'string') this.#handleNoResponse(received, server);
    else if (response !== undefined)
      await this.#handleResponse(response, received.replayed, {
        server,
        hadFinalResponse: before !== undefined,
      });
  }

  /** Retries, on either server, until the response is final. @throws NoFinalResponseError */
  async untilFinal(random: Random): Promise<ParsedResponse> {
    const { fleet, limits } = this.#dependencies;
    const begun = fleet.upMs;
    for (let pauses = 1; this.#response === undefined; pauses += 1) {
      await this.attempt(fleet.any(random), random);
      if (this.#response !== undefined) break;
      if (fleet.upMs - begun > limits.unfinishedKeyMs) {
        this.#report(
          'stuckKeys',
          `no final response after ${pauses} attempts; ${this.#attemptLog.join('; ')}`,
        );
        throw new NoFinalResponseError(this.request.key);
      }
      await sleep(random.between(10, 40) * Math.min(pauses, 8));
    }
    return this.#response;
  }

  #handleNoResponse(why: NoResponse, server: Server): void {
    this.#dependencies.counts.lost += 1;
    this.#logAttempt(server, why);
    if (why !== 'not listening') this.#leaseMayBeRenewed();
    if (why === 'too late') this.#report('unexpectedResponses', `no response from ${server.name}`);
  }

  async #handleResponse(
    response: ParsedResponse,
    replayed: boolean,
    { server, hadFinalResponse }: AttemptContext,
  ): Promise<void> {
    if (isFinal(response)) {
      this.#handleFinalResponse(response, replayed, hadFinalResponse);
      return;
    }
    this.#logAttempt(server, describeResponse(response));
    const isInProgress = response.code === 'IDEMPOTENCY_KEY_IN_PROGRESS';
    if (!transient.has(response.status) && !isInProgress)
      this.#report('unexpectedResponses', describeResponse(response));
    // The response to a key that is known already needs no further request.
    if (hadFinalResponse && response.status !== 503 && !this.isForgotten)
      this.#report('changedResponses', `then ${describeResponse(response)}`);
    if (isInProgress) await this.#checkStuckKey();
    else this.#leaseMayBeRenewed();
  }

  #handleFinalResponse(response: ParsedResponse, replayed: boolean, hadFinalResponse: boolean): void {
    if (!replayed) this.#executions += 1;
    if (this.#response !== undefined && this.isForgotten) return;
    if (!replayed && (hadFinalResponse || this.#executions > 1)) {
      this.#report('changedResponses', `executed again: ${describeResponse(response)}`);
    }
    if (this.#response === undefined) {
      this.#response = response;
      this.#attemptLog = [];
      const outcome = response.code === null ? `${response.status}` : `${response.status} ${response.code}`;
      if (!this.request.expectedOutcomes.includes(outcome))
        this.#report('unexpectedResponses', describeResponse(response));
      return;
    }
    this.#isCompared = true;
    this.#dependencies.counts.replays += 1;
    if (response.digest !== this.#response.digest)
      this.#report('changedResponses', `then ${describeResponse(response)}`);
  }

  /** An attempt that was not rejected may have acquired the lease until now. */
  #leaseMayBeRenewed(): void {
    this.#lastLeaseAt = this.#dependencies.fleet.upMs;
  }

  /** The reconciler may take the process over too, and be killed meanwhile: only a new fencing token shows that. */
  async #checkStuckKey(): Promise<void> {
    const { fleet, database, limits } = this.#dependencies;
    const since = this.#lastLeaseAt;
    const waited = fleet.upMs - since;
    if (this.#isStuck || this.#inFlight > 0 || waited <= limits.stuckKeyMs) return;
    const fencingToken = await fencingTokenOf(database, this.request.key);
    if (since !== this.#lastLeaseAt) return;
    if (fencingToken === this.#fencingToken) {
      this.#isStuck = true;
      this.#report('stuckKeys', `in progress for ${Math.round(waited)} ms; ${this.#attemptLog.join('; ')}`);
    }
    this.#fencingToken = fencingToken;
    this.#leaseMayBeRenewed();
  }

  #logAttempt({ name }: Server, what: string): void {
    if (this.#response !== undefined) return;
    this.#attemptLog = [
      ...this.#attemptLog.slice(-19),
      `${new Date().toISOString().slice(14)} ${name} ${what}`,
    ];
  }

  #report(kind: ViolationKind, what: string): void {
    const { method, path, key } = this.request;
    const first = this.#response ? `, first response ${describeResponse(this.#response)}` : '';
    this.#dependencies.violations.add(violation(kind, `${method} ${path} with key ${key}${first}: ${what}`));
  }
}

/** The provider failed or was too slow, or the database was unavailable: the client retries. */
const transient = new Set([502, 503, 504]);

/** The key's current fencing token, which is incremented on takeover. Our keys are letters, digits and hyphens. */
const fencingTokenOf = async ({ query }: Pick<ObservedDatabase, 'query'>, key: string): Promise<unknown> => {
  const [row] = await query(`select fence from idempotency_keys where "key" = '${key}'`);
  return row && Object.values(row)[0];
};
