import type { ObservedDatabase } from '../../lab/databases.ts';
import type { Acquisition } from '../../lab/judge/events/evidence.ts';

/** Each start of a server is a process with a name of its own. */
export const namedUrl = (url: string, process: string): string => {
  if (!url.startsWith('postgres')) return url;
  const named = new URL(url);
  named.searchParams.set('application_name', process);
  return named.href;
};

const ofPostgres = `
  create table chaos_writers (subject_id uuid, subject_version int, process text);
  create table chaos_numberers (sequence bigint, subject_id uuid, subject_version int, process text);
  create table chaos_leases (process text, at double precision);
  create function chaos_note_writer() returns trigger language plpgsql as $$ begin
    insert into chaos_writers values (new.subject_id, new.subject_version, current_setting('application_name'));
    return null;
  end $$;
  create function chaos_note_numberer() returns trigger language plpgsql as $$ begin
    insert into chaos_numberers
    values (new.sequence, new.subject_id, new.subject_version, current_setting('application_name'));
    return null;
  end $$;
  create function chaos_note_lease() returns trigger language plpgsql as $$ begin
    insert into chaos_leases
    values (current_setting('application_name'), extract(epoch from clock_timestamp()) * 1000);
    return null;
  end $$;
  create trigger chaos_writer after insert on event_queue for each row execute function chaos_note_writer();
  create trigger chaos_numberer after insert on events for each row execute function chaos_note_numberer();
  create trigger chaos_first_lease after insert on duties for each row
    when (new.name = 'webhooks') execute function chaos_note_lease();
  create trigger chaos_lease after update on duties for each row
    when (new.name = 'webhooks' and new.holder <> old.holder) execute function chaos_note_lease();
`;

const noteLeaseOfSqlite = `begin
    insert into chaos_leases values (null, (julianday('now') - 2440587.5) * 86400000);
  end`;

const ofSqlite = `
  create table chaos_leases (process text, at real);
  create trigger chaos_first_lease after insert on duties when new.name = 'webhooks' ${noteLeaseOfSqlite};
  create trigger chaos_lease after update on duties when new.name = 'webhooks' and new.holder <> old.holder
  ${noteLeaseOfSqlite};
`;

/** Lets the database note which process writes an event, which gives its number, and which acquires the lease of deliveries. */
export const setProbes = async ({ url, execute }: ObservedDatabase): Promise<void> => {
  await execute(url.startsWith('postgres') ? ofPostgres : ofSqlite);
};

export const readAcquisitions = async ({
  query,
}: Pick<ObservedDatabase, 'query'>): Promise<readonly Acquisition[]> =>
  (await query('select process, at from chaos_leases order by at')).map(({ process, at }) => ({
    process: process === null ? null : String(process),
    at: Number(at),
  }));

/** How many events were numbered by another process than the one that wrote them. Of SQLite, where the writer numbers, it is none. */
export const countTakenOverNumbers = async ({
  url,
  query,
}: Pick<ObservedDatabase, 'url' | 'query'>): Promise<number> => {
  if (!url.startsWith('postgres')) return 0;
  const [row] = await query(`
    select count(*) as numbers from chaos_writers join chaos_numberers using (subject_id, subject_version)
    where chaos_writers.process <> chaos_numberers.process
  `);
  return Number(row?.['numbers']);
};
