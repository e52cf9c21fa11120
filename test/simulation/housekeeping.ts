import { ApplicationError } from '#application/errors.ts';
import type { JobResult } from '#application/jobs/job.ts';
import type { Random } from '#test/support/random.ts';
import type { Journal } from './journal.ts';
import type { Schedule } from './schedule.ts';
import type { Server } from './server.ts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** The background jobs of the servers, as often as a worker would run them, or much less often. */
export class Housekeeping {
  readonly #schedule: Schedule;
  readonly #random: Random;
  readonly #journal: Journal;
  #isOver = false;

  constructor(schedule: Schedule, random: Random, journal: Journal) {
    this.#schedule = schedule;
    this.#random = random;
    this.#journal = journal;
  }

  /** Does the jobs of a server for as long as it lives. */
  begin(server: Server): void {
    void this.#keepHouse(server);
    void this.#keepLooking(server);
  }

  /** From now on only rounds that are asked for are made. */
  end(): void {
    this.#isOver = true;
  }

  async #keepHouse(server: Server): Promise<void> {
    const { recoverAbandonedProcesses, expirePayments, ...others } = server.portico.backgroundJobs;
    const { expireOrders, purgeIdempotencyKeys, eraseUsers } = others;
    while (!this.#isOver) {
      const pause = this.#random.pick([10 * second, minute, 10 * minute, 12 * hour]);
      await this.#schedule.sleep(server, pause, 'keeps house');
      await this.#run(recoverAbandonedProcesses());
      if (!this.#random.chance(0.5)) continue;
      const job = this.#random.pick([expirePayments, expireOrders, purgeIdempotencyKeys, eraseUsers]);
      await this.#run(job());
    }
  }

  async #keepLooking(server: Server): Promise<void> {
    const { reconcileCharges, pollProviderEvents } = server.portico.backgroundJobs;
    while (!this.#isOver) {
      const pause = this.#random.pick([3 * second, minute, hour, 12 * hour]);
      await this.#schedule.sleep(server, pause, 'looks for news');
      // As in the worker, a run may overlap the next.
      void this.#run(pollProviderEvents());
      void this.#run(reconcileCharges());
    }
  }

  /** Does everything once. Of what is due to be looked up at most five are, so those are looked up again and again. */
  async round(server: Server): Promise<void> {
    const { backgroundJobs: jobs } = server.portico;
    await this.#run(jobs.recoverAbandonedProcesses());
    await this.#run(jobs.pollProviderEvents());
    for (let runs = 0; runs < 5; runs += 1) {
      const { done } = await this.#run(jobs.reconcileCharges());
      if (done === 0) break;
      await this.#schedule.sleep(server, second, 'waits to look again');
    }
    await this.#run(jobs.expirePayments());
    await this.#run(jobs.expireOrders());
    await this.#run(jobs.purgeIdempotencyKeys());
    await this.#run(jobs.eraseUsers());
  }

  /** A job may fail because the provider does, or another server holds a lease, and for no other reason. */
  async #run(job: Promise<JobResult>): Promise<JobResult> {
    const result = await job.catch((error: unknown) => ({ done: 0, errors: [error] }));
    for (const error of result.errors) {
      this.#journal.log(String(error));
      if (!(error instanceof ApplicationError)) this.#journal.breach(`A job failed: ${error}`);
    }
    return result;
  }
}
