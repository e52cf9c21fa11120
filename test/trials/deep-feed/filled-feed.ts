import type { KeptKindName } from '#bootstrap/config/store-kinds.ts';
import type { ObservedDatabase } from '../../lab/databases.ts';
import { Connection } from '../../lab/load/connection.ts';
import { median } from '../../lab/statistics.ts';
import { until } from '../../support/until.ts';
import { createProduct, token } from '../production.ts';

export const pageSize = 100;

/** How many pages are read at each place, in turn: the machine may be busier at one time than at another. */
const rounds = 100;

const types = ['product.created', 'product.updated', 'product.out_of_stock', 'product.back_in_stock'];

/** The first pages of the feed: of all events, those of one type, and those of a group of types. */
export const begins = {
  'all events': `/v1/events?limit=${pageSize}`,
  'one type': `/v1/events?limit=${pageSize}&type=product.updated`,
  'a group of types': `/v1/events?limit=${pageSize}&type=product.*`,
};

type FilterName = keyof typeof begins;

export const filterNames = Object.keys(begins) as readonly FilterName[];

/** The paths of pages, by filter. */
type Pages = Readonly<Record<FilterName, string>>;

/** A feed that is filled with copies of one event, and read through a server. */
export class FilledFeed {
  /** The sequence of the event that is copied. */
  private readonly original: number;
  private length: number;
  private readonly database: ObservedDatabase;
  private readonly kind: KeptKindName;
  private readonly port: number;
  /** Opened behind a filling: meanwhile it would be idle for so long that the server closes it. */
  private connection: Connection | undefined;

  private constructor(database: ObservedDatabase, kind: KeptKindName, port: number, original: number) {
    this.database = database;
    this.kind = kind;
    this.port = port;
    this.original = original;
    this.length = original;
  }

  /** @param port of a server on the database, to which nothing was written yet */
  static async begin(database: ObservedDatabase, kind: KeptKindName, port: number): Promise<FilledFeed> {
    await createProduct(port);
    // Except on SQLite the event is numbered behind the response.
    const [{ sequence } = {}] = await until(
      () => database.query("select sequence from events where type = 'product.created'"),
      (rows) => rows.length === 1,
    );
    return new FilledFeed(database, kind, port, Number(sequence));
  }

  async fillUpTo(length: number): Promise<void> {
    this.close();
    while (this.length < length) {
      const last = Math.min(this.length + 500_000, length);
      await this.database.execute(copy(this.kind, this.original, this.length + 1, last));
      this.length = last;
    }
    if (this.kind !== 'sqlite')
      await this.database.execute(`update event_feed set last_sequence = ${this.length}`);
    // As autovacuum does within a minute or two.
    if (this.kind === 'postgres') await this.database.execute('vacuum analyze events');
  }

  /** The pages that follow the last event. */
  async ends(): Promise<Pages> {
    const pages: Record<FilterName, string> = { ...begins };
    for (const name of filterNames) {
      const page = await this.get(`${begins[name]}&start=latest`);
      pages[name] = /"resume":"([^"]+)"/.exec(page)?.[1] ?? '';
      if (!(await this.get(pages[name])).includes('"data":[]'))
        throw new Error(`${pages[name]} is not the end of the feed.`);
    }
    return pages;
  }

  /** @returns the median time of each path, in milliseconds */
  async times(paths: readonly string[]): Promise<readonly number[]> {
    const times = paths.map((): number[] => []);
    for (let round = 0; round < rounds; round += 1) {
      for (const [place, path] of paths.entries()) {
        const begun = performance.now();
        const text = await this.get(path);
        times[place]?.push(performance.now() - begun);
        const found = text.match(/"sequence":/g)?.length;
        if (found !== pageSize) throw new Error(`${path} has ${found} events.`);
      }
    }
    return times.map(median);
  }

  close(): void {
    this.connection?.destroy();
    this.connection = undefined;
  }

  private async get(path: string): Promise<string> {
    this.connection ??= await Connection.open(this.port);
    return this.connection.read(path, token);
  }
}

const columns =
  'sequence, id, created_at, type, subject_type, subject_id, subject_version, order_id, user_id, changed, cause, data';

/** How a database counts from one sequence to another as `n`, and gives the id of a copy: its last ten digits are the sequence. */
const dialects: Readonly<Record<KeptKindName, { numbers(from: number, to: number): string; id: string }>> = {
  sqlite: {
    numbers: (from, to) =>
      `(with recursive numbers (n) as (select ${from} union all select n + 1 from numbers where n < ${to}) select n from numbers)`,
    id: "substr(id, 1, 26) || printf('%010x', n)",
  },
  postgres: {
    numbers: (from, to) => `(select * from generate_series(${from}, ${to}) as numbers (n))`,
    id: "(left(id::text, 26) || lpad(to_hex(n), 10, '0'))::uuid",
  },
  mariadb: {
    numbers: (from, to) => `(select seq as n from seq_${from}_to_${to})`,
    id: "concat(left(id, 26), lpad(lower(hex(n)), 10, '0'))",
  },
};

/** Copies an event to all sequences of a range, with one type after the other. */
const copy = (kind: KeptKindName, original: number, from: number, to: number): string => `
  insert into events (${columns})
  select n, ${dialects[kind].id}, created_at, case n % 4 ${types.map((type, place) => `when ${place} then '${type}'`).join(' ')} end,
    subject_type, subject_id, n, order_id, user_id, changed, cause, data
  from ${dialects[kind].numbers(from, to)} as numbers cross join (select * from events where sequence = ${original}) as original`;
