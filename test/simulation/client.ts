import { hash } from 'node:crypto';
import { actionOfPayer } from '#adapters/http/v1/payments.ts';
import type { Application } from '#application/application.ts';
import { ApplicationError, KeyReused } from '#application/errors.ts';
import { idempotencyKeyLifetimeMs } from '#application/idempotency/idempotency.ts';
import type { IdempotentResult } from '#application/idempotency/idempotency-record.ts';
import type { LivePayment } from '#application/payments/charges.ts';
import type { IdempotentRequest } from '#application/ports/idempotency.ts';
import type { Caller } from '#application/preconditions.ts';
import type { Command, Outcome, Process, UseCase } from '#application/use-case.ts';
import type { UserId } from '#domain/user.ts';
import type { Random } from '#test/support/random.ts';
import type { Journal } from './journal.ts';
import type { Actor, Schedule } from './schedule.ts';
import { ConnectionLost, type Server } from './server.ts';

const second = 1_000;
const hour = 3_600 * second;

/** How long clients wait before they try again, in milliseconds: mostly not long, sometimes around the end of a day. */
const pauses = [100, second, 5 * second, 31 * second, 70 * second];
const longPauses = [20 * hour, 23 * hour, 25 * hour, 49 * hour];

/** The key under which an administrator erases the user, and the one under which they try again once everything is sent. */
export const erasing = 'erase';
export const erasingAgain = 'erase-again';

export const isErasure = ({ key }: Pick<Operation, 'key'>): boolean =>
  key === erasing || key === erasingAgain;

/** The operation of a client under one key, and the responses to it. */
export class Operation {
  readonly key: string;
  readonly userId: UserId;
  readonly send: (portico: Application) => Promise<IdempotentResult<unknown>>;
  /** The last final response. */
  finalResponse: string | undefined;
  /** All of them: several where the key has expired and begun anew. */
  readonly finalResponses = new Set<string>();
  /** Contradictory responses. */
  readonly contradictions: string[] = [];
  #firstSentAt: number | undefined;
  #lastSentAt = 0;
  readonly #responseTimes: number[] = [];
  readonly #lostRequests: { readonly sentAt: number; readonly lostAt: number }[] = [];

  constructor(key: string, userId: UserId, send: Operation['send']) {
    this.key = key;
    this.userId = userId;
    this.send = send;
  }

  get wasSent(): boolean {
    return this.#firstSentAt !== undefined;
  }

  /** How often its key may have begun anew. */
  get lives(): number {
    return (
      1 + Math.floor((this.#lastSentAt - (this.#firstSentAt ?? this.#lastSentAt)) / idempotencyKeyLifetimeMs)
    );
  }

  recordSent(now: number): void {
    this.#firstSentAt ??= now;
    this.#lastSentAt = now;
  }

  recordLost(sentAt: number, lostAt: number): void {
    this.#lostRequests.push({ sentAt, lostAt });
  }

  /** Whether the response to what a request did at that time was lost, and no other came before the key expired. */
  isUntold(at: number): boolean {
    const wasLost = this.#lostRequests.some(({ sentAt, lostAt }) => sentAt <= at && at <= lostAt);
    const replaysIt = (time: number) => at <= time && time < at + idempotencyKeyLifetimeMs;
    return wasLost && !this.#responseTimes.some(replaysIt);
  }

  /** While the key has not expired, every response replays the first. */
  recordResponse(response: string, now: number): void {
    if (
      this.finalResponse !== undefined &&
      this.finalResponse !== response &&
      now < (this.#firstSentAt ?? now) + idempotencyKeyLifetimeMs
    ) {
      this.contradictions.push(`${this.key} was answered ${this.finalResponse} and then ${response}`);
    }
    this.#responseTimes.push(now);
    this.finalResponses.add(response);
    this.finalResponse = response;
  }
}

/** Puts a request into words, as a route does. */
export const newOperation = <Input, Result>(
  key: string,
  caller: Caller,
  useCase: (portico: Application) => Command<Input, Result> | Process<Input, Result>,
  input: Input,
): Operation => {
  const { userId, role } = caller;
  const fingerprint = hash('sha256', `${key} ${JSON.stringify(input)}`);
  const attempt: IdempotentRequest = { userId, role, key, fingerprint };
  return new Operation(key, userId, (portico) => send(portico, useCase(portico), { caller, input, attempt }));
};

const send = <Input, Result>(
  { idempotency }: Application,
  useCase: Exclude<UseCase<Input, Result>, { readonly kind: 'query' }>,
  {
    caller,
    input,
    attempt,
  }: { readonly caller: Caller; readonly input: Input; readonly attempt: IdempotentRequest },
): Promise<IdempotentResult<unknown>> =>
  useCase.kind === 'command'
    ? idempotency.command(attempt, useCase(caller, input), write)
    : idempotency.process(attempt, useCase(caller, input), write);

/** A response as it is stored: what only the payer may see is in none, and a deletion has no content. */
const write = (outcome: Outcome<unknown>): string => {
  if ('rejected' in outcome) return `${outcome.rejected.kind}: ${outcome.rejected.message}`;
  return outcome.done === undefined ? '' : JSON.stringify(actionOfPayer.without(outcome.done as LivePayment));
};

interface Dependencies {
  readonly schedule: Schedule;
  readonly random: Random;
  /** One that is up; undefined while none is. */
  readonly anyServer: () => Server | undefined;
  /** Whether the user of all orders is erased: then their own requests are 401, and stored responses are gone. */
  readonly isErased: () => Promise<boolean>;
  readonly erasable: UserId;
  readonly journal: Journal;
}

/** A client with one operation, which it retries, and sometimes abandons. */
export class Client implements Actor {
  readonly name: string;
  readonly isGone = false;
  readonly #operation: Operation;
  readonly #dependencies: Dependencies;

  constructor(name: string, operation: Operation, surroundings: Dependencies) {
    this.name = name;
    this.#operation = operation;
    this.#dependencies = surroundings;
  }

  /** Retries until there is a response, or the client gives up; it may repeat a request that has its response. */
  async retryUntilResponse(): Promise<void> {
    const { schedule, random } = this.#dependencies;
    await schedule.sleep(this, random.below(3 * second), 'arrives');
    for (let tries = random.between(1, 6); tries > 0; tries -= 1) {
      const isAnswered = await this.sendOnce();
      if (isAnswered && random.chance(0.4)) return;
      const pause = random.pick(random.chance(0.1) ? longPauses : pauses);
      await schedule.sleep(this, pause, isAnswered ? 'wants to hear it again' : 'tries again');
    }
  }

  /** @returns whether there was a response */
  async sendOnce(): Promise<boolean> {
    const { schedule, anyServer, isErased, erasable } = this.#dependencies;
    const server = anyServer();
    if (server === undefined) return false;
    if (this.#operation.userId === erasable && (await isErased())) return true;
    const sentAt = schedule.now;
    this.#operation.recordSent(sentAt);
    schedule.note(this, `sends to ${server.name}: ${this.#operation.key}`);
    try {
      const attempted = await server.serve(this.#operation.send);
      await schedule.turn(this, 'gets a response');
      const isLate = !isErasure(this.#operation) && (await isErased());
      if (!isLate || this.#operation.finalResponse === undefined)
        this.#operation.recordResponse(textOf(attempted), schedule.now);
      return true;
    } catch (error) {
      if (error instanceof ConnectionLost) this.#operation.recordLost(sentAt, schedule.now);
      this.#dependencies.journal.log(String(error));
      await schedule.turn(this, `hears of ${error}`);
      if (isOfErasedResponse(error) && (await isErased())) return true;
      if (isPassing(error)) return false;
      this.#operation.contradictions.push(`${this.#operation.key} failed: ${error}`);
      return false;
    }
  }
}

const textOf = (attempted: IdempotentResult<unknown>): string =>
  'replayed' in attempted ? attempted.replayed : write(attempted.outcome);

/** The response to what staff have done with an order of the user is gone with it. */
const isOfErasedResponse = (error: unknown): boolean =>
  error instanceof KeyReused && error.message.includes('has been erased');

/** What a client tries again after. */
const isPassing = (error: unknown): boolean =>
  error instanceof ConnectionLost || (error instanceof ApplicationError && error.kind !== 'key-reused');
