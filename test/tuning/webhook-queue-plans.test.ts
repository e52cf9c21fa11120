import BetterSqlite3 from 'better-sqlite3';
import { expect } from 'chai';
import { builderOf } from '#adapters/persistence/sql/builder.ts';
import { compileWebhookQueue } from '#adapters/persistence/sql/webhook-queue.ts';
import { sqliteOrm } from '#adapters/persistence/sqlite/connect.ts';
import { openSqlite } from '#adapters/persistence/sqlite/open.ts';
import { temporaryFolder } from '#test/support/temporary.ts';

/** They are about the pending deliveries of one endpoint. SQLite does not count the rows that it reads. */
const ofPending = [
  'due',
  'first',
  'untried',
  'reschedule',
  'cancelAll',
  'cancelEnqueued',
  'cancelOrphaned',
] as const;

describe('Plans of the queue of webhooks on SQLite', () => {
  const place = temporaryFolder();

  it('read pending deliveries alone, by an index', async () => {
    await (await openSqlite({ file: place('portico.db') })).close();
    const file = new BetterSqlite3(place('portico.db'), { readonly: true });
    const statements = compileWebhookQueue(builderOf(sqliteOrm(':memory:', 0)));
    for (const name of ofPending) {
      const text = statements[name].text.replaceAll('?', 'null');
      const plan = file.prepare<unknown[], { detail: string }>(`explain query plan ${text}`);
      const details = plan.all().map(({ detail }) => detail);
      const reads = details.filter((detail) => detail.includes('webhook_deliveries'));
      expect(reads, name).to.have.lengthOf(1);
      expect(reads[0], name).to.match(
        /^SEARCH .* USING (COVERING )?INDEX \S+ \(endpoint_id=\? AND status=\?/,
      );
    }
    file.close();
  });
});
