import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from '#test/support/random.ts';
import type { Shop } from '../../lab/clients/shop.ts';
import type { ReadEvent, ReceiversEvidence, SeenEvent } from '../../lab/judge/events/evidence.ts';
import { readEndpoints } from '../../lab/judge/events/read-endpoints.ts';
import { findTakeovers } from '../../lab/judge/events/takeovers.ts';
import { type Pace, secretsKeyOf } from '../conditions.ts';
import type { Counts } from '../counts.ts';
import type { Fixture } from '../fixture.ts';
import { holdNumbering } from './held-numbering.ts';
import { KilledProgram } from './killed-program.ts';
import { measureLag } from './lag.ts';
import { countTakenOverNumbers, readAcquisitions, setProbes } from './probes.ts';
import { openReaderFile } from './reader-file.ts';
import { readReceipts } from './receiver.ts';
import { readLastEvents, readWholeFeed } from './resources.ts';
import { reviveOnceGone } from './revive.ts';
import { findEndpointSecrets } from './secrets.ts';
import { type Subscriber, startSubscribers } from './subscribers.ts';

interface Options extends Fixture {
  readonly shop: Shop;
  readonly pace: Pace;
  readonly folder: string;
  readonly cache: string;
  readonly random: Random;
  readonly counts: Counts;
  readonly cleanUp: AsyncDisposableStack;
}

/** How long the reader and the working receivers may take for the last events, in milliseconds. */
const catchUpMs = 30_000;

/** Everyone who follows the events of a shop: a reader of the feed, and receivers of webhooks. */
export class Receivers {
  readonly #options: Options;
  readonly #subscribers: readonly Subscriber[];
  readonly #reader: KilledProgram;
  readonly #readerFile: string;
  readonly #folder: string;
  readonly #reviving: Promise<unknown>;
  readonly #holding: Promise<unknown>;
  #killingIsOver = false;
  #isOver = false;
  #lags: Promise<ReadonlyMap<string, number | undefined>> | undefined;

  private constructor(options: Options, folder: string, subscribers: readonly Subscriber[]) {
    const { fleet, shop, pace, cache, random, counts, cleanUp } = options;
    this.#options = options;
    this.#subscribers = subscribers;
    this.#folder = folder;
    this.#readerFile = join(folder, 'reader.db');
    const urls = fleet.servers.map(({ port }) => `http://127.0.0.1:${port}`);
    this.#reader = new KilledProgram({
      ...{ program: 'reader-main.ts', parameters: [this.#readerFile, shop.staff, ...urls], cache },
      ...{ random: random.fork(), livesMs: [700, 6_000], longerLives: pace.longerLives },
      onKilled: () => {
        counts.readerKills += 1;
      },
    });
    cleanUp.defer(() => this.#reader.end());
    cleanUp.defer(() => {
      this.#isOver = true;
    });
    const isOver = () => this.#isOver;
    this.#holding = holdNumbering(
      { ...options, random: random.fork() },
      () => this.#killingIsOver || this.#isOver,
    );
    this.#reviving = Promise.all(
      subscribers
        .filter(({ name }) => name === 'gone')
        .map((each) => reviveOnceGone(each, { fleet, admin: shop.admin, isOver })),
    );
  }

  /** To be called while nothing fails. */
  static async start(options: Options): Promise<Receivers> {
    const { database, fleet, counts } = options;
    await setProbes(database);
    const folder = await mkdtemp(join(options.folder, 'receivers-'));
    const onReceiverKilled = (): void => {
      counts.receiverKills += 1;
    };
    const url = `http://127.0.0.1:${fleet.servers[0].port}`;
    const subscribers = await startSubscribers({ ...options, folder, url, onReceiverKilled });
    return new Receivers(options, folder, subscribers);
  }

  /** To be called when the last server has been killed. */
  serversSurvive(): void {
    this.#killingIsOver = true;
    const working = this.#subscribers.filter(({ works }) => works);
    this.#lags = measureLag(this.#options.database, working, Date.now());
  }

  /** To be called once nothing happens any more. Everybody catches up, and tells what they have got. */
  async end(): Promise<ReceiversEvidence> {
    const { database, fleet, shop, counts } = this.#options;
    const lags = await this.#lags;
    const events = await this.#caughtUp();
    this.#reader.spare();
    this.#isOver = true;
    await this.#holding;
    await this.#reviving;
    const reader = openReaderFile(this.#readerFile);
    const evidence: ReceiversEvidence = {
      events,
      lastEvents: await readLastEvents(fleet, shop.admin, events),
      read: reader.events(),
      problems: reader.problems(),
      endpoints: await this.#endpoints(lags),
      lives: fleet.servers.flatMap(({ lives }) => lives),
      acquisitions: await readAcquisitions(database),
      attempts: await this.#attempts(),
      endedAt: Date.now(),
      leaks: await findEndpointSecrets({
        ...{ database, fleet, admin: shop.admin, subscribers: this.#subscribers },
        ...{ key: await secretsKeyOf(database.url), folder: this.#folder },
      }),
    };
    await this.#reader.end();
    reader.close();
    counts.takenOverNumbers += await countTakenOverNumbers(database);
    countReceivers(counts, evidence);
    return evidence;
  }

  /** @returns the whole feed, once the reader and the working receivers have got it, or their time is over */
  async #caughtUp(): Promise<readonly SeenEvent[]> {
    const { fleet, shop } = this.#options;
    const deadline = performance.now() + catchUpMs;
    for (;;) {
      const events = await readWholeFeed(fleet, shop.admin);
      const end = events.at(-1)?.sequence ?? 0;
      const waiting = this.#read().at(-1)?.sequence !== end || (await this.#isBehind(end));
      if (!waiting || performance.now() > deadline) return events;
      await pause(500);
    }
  }

  #read(): readonly ReadEvent[] {
    const reader = openReaderFile(this.#readerFile);
    const events = reader.events();
    reader.close();
    return events;
  }

  async #isBehind(end: number): Promise<boolean> {
    const endpoints = await this.#endpoints(undefined);
    return endpoints.some(
      ({ works, position, deliveries }) =>
        works && (position < end || deliveries.some(({ status }) => status === 'pending')),
    );
  }

  async #endpoints(
    lags: ReadonlyMap<string, number | undefined> | undefined,
  ): Promise<ReceiversEvidence['endpoints']> {
    const stored = await readEndpoints(this.#options.database);
    return this.#subscribers.map(({ id, name, types, ordering, works, position: begin, file }) => ({
      ...{ name, types, ordering, works, begin },
      ...stored(id),
      lagMs: lags?.get(id),
      receipts: readReceipts(file),
    }));
  }

  /** When deliveries were attempted, in milliseconds since 1970. */
  async #attempts(): Promise<readonly number[]> {
    const rows = await this.#options.database.query('select attempts from webhook_deliveries');
    return rows.flatMap(({ attempts }) =>
      (JSON.parse(String(attempts)) as { at: string }[]).map(({ at }) => Date.parse(at)),
    );
  }
}

const countReceivers = (counts: Counts, evidence: ReceiversEvidence): void => {
  const { endpoints } = evidence;
  counts.webhooks += endpoints.reduce((sum, { receipts }) => sum + receipts.length, 0);
  const takeovers = findTakeovers(evidence);
  counts.takeovers += takeovers.length;
  const delays = takeovers.map(({ afterMs }) => afterMs);
  counts.slowestTakeoverMs = Math.round(Math.max(counts.slowestTakeoverMs, ...delays));
  counts.longestLagMs = Math.max(counts.longestLagMs, ...endpoints.map(({ lagMs = 0 }) => lagMs));
};
