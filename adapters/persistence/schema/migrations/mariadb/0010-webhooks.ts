import { Migration } from '@mikro-orm/migrations';

/** As every table: texts are compared code point by code point, trailing spaces included. */
const options = 'engine = InnoDB row_format = dynamic character set utf8mb4 collate utf8mb4_nopad_bin';

/** Adds endpoints of webhooks, how far they are, and what was delivered to them. */
export class Webhooks extends Migration {
  override up(): void {
    this.addSql(`
      create table if not exists webhook_endpoints (
        id varchar(36) not null primary key,
        version int not null,
        created_at datetime(3) not null,
        updated_at datetime(3) not null,
        url text not null,
        event_types text not null,
        description text null,
        status varchar(32) not null,
        disabled_reason varchar(32) null,
        ordering varchar(32) not null,
        payload varchar(32) not null,
        secrets text not null,
        sealed_secrets text not null
      ) ${options}
    `);
    this.addSql(`
      create table if not exists webhook_progress (
        id varchar(36) not null primary key,
        version int not null,
        created_at datetime(3) not null,
        updated_at datetime(3) not null,
        position bigint not null,
        furthest bigint not null,
        failures int not null,
        failing_since datetime(3) null
      ) ${options}
    `);
    this.addSql(`
      create table if not exists webhook_deliveries (
        id varchar(36) not null primary key,
        version int not null,
        created_at datetime(3) not null,
        updated_at datetime(3) not null,
        endpoint_id varchar(36) not null,
        event_id varchar(36) not null,
        event_type varchar(64) not null,
        sequence bigint not null,
        status varchar(32) not null,
        caused_by varchar(32) not null,
        attempt_count int not null,
        next_attempt_at datetime(3) null,
        attempts text not null,
        index webhook_deliveries_endpoint_id_id_index (endpoint_id, id),
        index webhook_deliveries_event_id_id_index (event_id, id),
        index webhook_deliveries_status_id_index (status, id),
        index webhook_deliveries_endpoint_id_status_sequence_index (endpoint_id, status, sequence),
        index webhook_deliveries_endpoint_id_status_next_attempt_at_index (endpoint_id, status, next_attempt_at)
      ) ${options}
    `);
  }
}
