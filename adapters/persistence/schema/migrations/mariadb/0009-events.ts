import { randomUUID } from 'node:crypto';
import { Migration } from '@mikro-orm/migrations';

/** As every table: texts are compared code point by code point, trailing spaces included. */
const options = 'engine = InnoDB row_format = dynamic character set utf8mb4 collate utf8mb4_nopad_bin';

/** Adds the feed of events, and the queue in front of it. */
export class Events extends Migration {
  override up(): void {
    this.addSql(`
      create table if not exists event_queue (
        place bigint not null auto_increment primary key,
        created_at datetime(3) not null,
        type varchar(64) not null,
        subject_type varchar(64) not null,
        subject_id varchar(36) not null,
        subject_version int not null,
        order_id varchar(36) null,
        user_id varchar(36) null,
        changed text not null,
        cause text not null,
        data longtext not null
      ) ${options}
    `);
    this.addSql(`
      create table if not exists events (
        sequence bigint not null primary key,
        id varchar(36) not null,
        created_at datetime(3) not null,
        type varchar(64) not null,
        subject_type varchar(64) not null,
        subject_id varchar(36) not null,
        subject_version int not null,
        order_id varchar(36) null,
        user_id varchar(36) null,
        changed text not null,
        cause text not null,
        data longtext not null,
        index events_type_sequence_index (type, sequence),
        index events_order_id_sequence_index (order_id, sequence),
        index events_user_id_sequence_index (user_id, sequence)
      ) ${options}
    `);
    this.addSql(`
      create table if not exists event_feed (
        name varchar(64) not null primary key,
        id varchar(36) not null,
        last_sequence bigint not null,
        last_time bigint not null,
        database_identity text null
      ) ${options}
    `);
    this.addSql(
      `insert ignore into event_feed (name, id, last_sequence, last_time) values ('events', '${randomUUID()}', 0, 0)`,
    );
  }
}
