import { Migration } from '@mikro-orm/migrations';

/** Adds endpoints of webhooks, how far they are, and what was delivered to them. */
export class Webhooks extends Migration {
  override up(): void {
    this.addSql(`
      create table webhook_endpoints (
        id uuid not null,
        version int not null,
        created_at timestamptz(3) not null,
        updated_at timestamptz(3) not null,
        url text not null,
        event_types text not null,
        description text null,
        status text not null,
        disabled_reason text null,
        ordering text not null,
        payload text not null,
        secrets text not null,
        sealed_secrets text not null,
        primary key (id)
      )
    `);
    this.addSql(`
      create table webhook_progress (
        id uuid not null,
        version int not null,
        created_at timestamptz(3) not null,
        updated_at timestamptz(3) not null,
        position bigint not null,
        furthest bigint not null,
        failures int not null,
        failing_since timestamptz(3) null,
        primary key (id)
      )
    `);
    this.addSql(`
      create table webhook_deliveries (
        id uuid not null,
        version int not null,
        created_at timestamptz(3) not null,
        updated_at timestamptz(3) not null,
        endpoint_id uuid not null,
        event_id uuid not null,
        event_type text not null,
        sequence bigint not null,
        status text not null,
        caused_by text not null,
        attempt_count int not null,
        next_attempt_at timestamptz(3) null,
        attempts text not null,
        primary key (id)
      )
    `);
    this.addSql(
      'create index webhook_deliveries_endpoint_id_id_index on webhook_deliveries (endpoint_id, id)',
    );
    this.addSql('create index webhook_deliveries_event_id_id_index on webhook_deliveries (event_id, id)');
    this.addSql('create index webhook_deliveries_status_id_index on webhook_deliveries (status, id)');
    this.addSql(
      'create index webhook_deliveries_endpoint_id_status_sequence_index on webhook_deliveries (endpoint_id, status, sequence)',
    );
    this.addSql(
      'create index webhook_deliveries_endpoint_id_status_next_attempt_at_index on webhook_deliveries (endpoint_id, status, next_attempt_at)',
    );
  }
}
