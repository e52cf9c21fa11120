import { randomUUID } from 'node:crypto';
import { Migration } from '@mikro-orm/migrations';

/**
 * Adds the feed of events, and the queue in front of it. The queue is short, but all events go through it: it is vacuumed often, so
 * that the sequencer finds its begin at once.
 */
export class Events extends Migration {
  override up(): void {
    this.addSql(`
      create table event_queue (
        place bigint generated always as identity,
        created_at timestamptz(3) not null,
        type text not null,
        subject_type text not null,
        subject_id uuid not null,
        subject_version int not null,
        order_id uuid null,
        user_id uuid null,
        changed text not null,
        cause text not null,
        data text not null,
        primary key (place)
      ) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000)
    `);
    this.addSql(`
      create table events (
        sequence bigint not null,
        id uuid not null,
        created_at timestamptz(3) not null,
        type text not null,
        subject_type text not null,
        subject_id uuid not null,
        subject_version int not null,
        order_id uuid null,
        user_id uuid null,
        changed text not null,
        cause text not null,
        data text not null,
        primary key (sequence)
      )
    `);
    this.addSql('create index events_type_sequence_index on events (type, sequence)');
    this.addSql(
      'create index events_order_id_sequence_index on events (order_id, sequence) where order_id is not null',
    );
    this.addSql(
      'create index events_user_id_sequence_index on events (user_id, sequence) where user_id is not null',
    );
    this.addSql(`
      create table event_feed (
        name text not null,
        id uuid not null,
        last_sequence bigint not null,
        last_time bigint not null,
        database_identity text null,
        primary key (name)
      ) with (fillfactor = 50)
    `);
    this.addSql(
      `insert into event_feed (name, id, last_sequence, last_time) values ('events', '${randomUUID()}', 0, 0)`,
    );
  }
}
