import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from '#test/support/random.ts';
import { describe, isFinal, read, type Said } from './answer.ts';
import { call, type Lost, type Request } from './call.ts';
import type { WaitLimits } from './conditions.ts';
import type { Counts } from './counts.ts';
import type { Fleet } from './fleet.ts';
import type { Place } from './place.ts';
import type { Server } from './server.ts';
import { type ViolationKind, type Violations, violation } from './violations.ts';

export type Kind = 'product' | 'order' | 'item' | 'change' | 'payment' | 'refund';

/** A request under a key of its own. */
export interface Question extends Request {
  readonly kind: Kind;
  /** What may come of it in the end: a status, and the code of a refusal. */
  readonly mayBe: readonly string[];
}

/** What every inquiry needs, and what all of them have in common. */
export interface Dependencies {
  readonly fleet: Pick<Fleet, 'up' | 'any'>;
  readonly violations: Violations;
  readonly counts: Counts;
  readonly place: Pick<Place, 'fenceOf'>;
  readonly limits: WaitLimits;
}

interface Heard {
  readonly server: Server;
  /** Whether there was a final answer before the request was sent. */
  readonly wasAnswered: boolean;
}

/** No server responds, so the story ends here. It is reported already. */
export class GaveUp extends Error {}

/**
 * A request that is sent again and again under the same key. The first final answer is the answer; every other has to be
 * the same, and is compared as it comes.
 */
export class Inquiry {
  readonly question: Question;
  #said: Said | undefined;
  #carriedOut = 0;
  #attempts = 0;
  #underWay = 0;
  #lastAtWork: number;
  #fence: unknown = 'not looked at';
  #isStuck = false;
  #isCompared = false;
  /** What came of the latest attempts, until one has come to a final answer. */
  #trail: string[] = [];
  readonly #dependencies: Dependencies;

  constructor(question: Question, around: Dependencies) {
    this.question = question;
    this.#dependencies = around;
    this.#lastAtWork = around.fleet.up;
  }

  /** Whether a second final answer has been held against the first. */
  get isCompared(): boolean {
    return this.#isCompared;
  }

  /** The final answer, when there has been one. */
  get said(): Said | undefined {
    return this.#said;
  }

  async attempt(server: Server, random: Random): Promise<void> {
    const { counts } = this.#dependencies;
    const before = this.#said;
    counts.requests += 1;
    if (before === undefined && this.#attempts > 0) counts.retries += 1;
    this.#attempts += 1;
    this.#underWay += 1;
    if (this.question.kind === 'payment' || this.question.kind === 'refund') server.paymentSent();
    const cutAfter = random.chance(0.04) ? random.between(0, 40) : undefined;
    const answer = await call(server, this.question, { keepAlive: random.chance(0.7), cutAfter });
    this.#underWay -= 1;
    if (typeof answer === 'string') this.#hearNothing(answer, server);
    else await this.#hear(read(answer), answer.replayed, { server, wasAnswered: before !== undefined });
  }

  /** Tries again, here and there, until the answer is final. @throws GaveUp */
  async untilFinal(random: Random): Promise<Said> {
    const { fleet, limits } = this.#dependencies;
    const begun = fleet.up;
    for (let pauses = 1; this.#said === undefined; pauses += 1) {
      await this.attempt(fleet.any(random), random);
      if (this.#said !== undefined) break;
      if (fleet.up - begun > limits.unansweredKey) {
        this.#blame('stuckKeys', `no final answer after ${pauses} attempts; ${this.#trail.join('; ')}`);
        throw new GaveUp(this.question.key);
      }
      await pause(random.between(10, 40) * Math.min(pauses, 8));
    }
    return this.#said;
  }

  #hearNothing(why: Lost, server: Server): void {
    this.#dependencies.counts.lost += 1;
    this.#note(server, why);
    if (why !== 'not there') this.#mayBeAtWork();
    if (why === 'too late') this.#blame('unexpectedAnswers', `no answer from ${server.name} at all`);
  }

  async #hear(said: Said, replayed: boolean, { server, wasAnswered }: Heard): Promise<void> {
    if (isFinal(said)) {
      this.#hearFinal(said, replayed, wasAnswered);
      return;
    }
    this.#note(server, describe(said));
    const isInProgress = said.code === 'IDEMPOTENCY_KEY_IN_PROGRESS';
    if (!transient.has(said.status) && !isInProgress) this.#blame('unexpectedAnswers', describe(said));
    // The response to a key that is known already needs no further request.
    if (wasAnswered && said.status !== 503) this.#blame('changedAnswers', `then ${describe(said)}`);
    if (isInProgress) await this.#waitInProgress();
    else this.#mayBeAtWork();
  }

  #hearFinal(said: Said, replayed: boolean, wasAnswered: boolean): void {
    if (!replayed) this.#carriedOut += 1;
    if (!replayed && (wasAnswered || this.#carriedOut > 1)) {
      this.#blame('changedAnswers', `carried out again: ${describe(said)}`);
    }
    if (this.#said === undefined) {
      this.#said = said;
      this.#trail = [];
      const inShort = said.code === null ? `${said.status}` : `${said.status} ${said.code}`;
      if (!this.question.mayBe.includes(inShort)) this.#blame('unexpectedAnswers', describe(said));
      return;
    }
    this.#isCompared = true;
    this.#dependencies.counts.replays += 1;
    if (said.digest !== this.#said.digest) this.#blame('changedAnswers', `then ${describe(said)}`);
  }

  /** An attempt that was not turned away may have taken the lease, up to now. */
  #mayBeAtWork(): void {
    this.#lastAtWork = this.#dependencies.fleet.up;
  }

  /** The reconciler takes it up too, and may be killed at it in turn: that is seen by the fence, and by nothing else. */
  async #waitInProgress(): Promise<void> {
    const { fleet, place, limits } = this.#dependencies;
    const since = this.#lastAtWork;
    const waited = fleet.up - since;
    if (this.#isStuck || this.#underWay > 0 || waited <= limits.stuckKey) return;
    const fence = await place.fenceOf(this.question.key);
    if (since !== this.#lastAtWork) return;
    if (fence === this.#fence) {
      this.#isStuck = true;
      this.#blame('stuckKeys', `in progress for ${Math.round(waited)} ms; ${this.#trail.join('; ')}`);
    }
    this.#fence = fence;
    this.#mayBeAtWork();
  }

  #note({ name }: Server, what: string): void {
    if (this.#said !== undefined) return;
    this.#trail = [...this.#trail.slice(-19), `${new Date().toISOString().slice(14)} ${name} ${what}`];
  }

  #blame(kind: ViolationKind, what: string): void {
    const { method, path, key } = this.question;
    const first = this.#said ? `, answered ${describe(this.#said)}` : '';
    this.#dependencies.violations.add(violation(kind, `${method} ${path} with key ${key}${first}: ${what}`));
  }
}

/** The provider failed or was too slow, or the database was away: the client comes again. */
const transient = new Set([502, 503, 504]);
