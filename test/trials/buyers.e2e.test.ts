import { expect } from 'chai';
import { onePaymentPerOrder } from '#adapters/persistence/schema/entities/payment.ts';
import { openDatabase } from '../lab/databases.ts';
import { until } from '../support/until.ts';
import { Buyers, startProvider } from './buyers.ts';
import { serve, token } from './production.ts';

describe('The buyers of trials', () => {
  const cleanUp = new AsyncDisposableStack();
  after(() => cleanUp.disposeAsync());

  it('find what was lost, done twice or changed of what servers have acknowledged', async () => {
    const lines: string[] = [];
    const database = await openDatabase('sqlite', { cleanUp });
    const { provider, settings } = await startProvider({ cleanUp });
    const { port } = await serve({ cleanUp }, database.url, settings);
    const client = { base: `http://127.0.0.1:${port}`, token };
    const buyers = await Buyers.begin([{ client }], 4, { log: (line) => lines.push(line) });
    const payments = () => database.query('select id, order_id from payments order by id');
    await until(payments, ({ length }) => length >= 6);
    await buyers.end();
    expect(await buyers.judged(provider, database)).to.include({ held: true }, lines.join('\n'));

    const [lost = {}, forgotten = {}, changed = {}, paid = {}, moved = {}] = await payments();
    const faults: readonly (readonly [fault: string, statement: string, seen: string])[] = [
      [
        'a lost payment is not found',
        `delete from payments where id = '${lost['id']}'`,
        `differ from the row: /v1/payments/${lost['id']} is 404`,
      ],
      [
        'a request is executed again, because its key was lost',
        `delete from idempotency_keys where subject = '${forgotten['id']}'`,
        `changed between replays: .* 201 ${forgotten['id']} succeeded: executed again`,
      ],
      [
        'a replay differs from the first response',
        `update idempotency_keys set answer = replace(answer, 'EUR', 'CHF') where subject = '${changed['id']}'`,
        `changed between replays: .* 201 ${changed['id']} succeeded: then 201 ${changed['id']}`,
      ],
      [
        'an order is paid twice',
        `drop index ${onePaymentPerOrder};
          update payments set order_id = '${paid['order_id']}' where id = '${moved['id']}'`,
        `charges made twice: order ${paid['order_id']}`,
      ],
    ];
    await database.execute(faults.map(([, statement]) => statement).join(';'));
    expect(await buyers.judged(provider, database)).to.include({ held: false });
    for (const [fault, , seen] of faults) expect(lines.join('\n'), fault).to.match(new RegExp(seen));
  });
});
