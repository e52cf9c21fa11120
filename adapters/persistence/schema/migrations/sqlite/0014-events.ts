import { randomUUID } from 'node:crypto';
import { Migration } from '@mikro-orm/migrations';

/** Adds the feed of events. */
export class Events extends Migration {
  override up(): void {
    this.addSql(`
      create table events (
        sequence integer not null primary key autoincrement,
        id text not null,
        created_at text not null,
        type text not null,
        subject_type text not null,
        subject_id text not null,
        subject_version integer not null,
        order_id text null,
        user_id text null,
        changed text not null,
        cause text not null,
        data text not null
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
        name text not null primary key,
        id text not null,
        last_sequence bigint not null,
        last_time bigint not null,
        database_identity text null
      )
    `);
    this.addSql(
      `insert into event_feed (name, id, last_sequence, last_time) values ('events', '${randomUUID()}', 0, 0)`,
    );
  }
}
