import { expect } from 'chai';
import { localKinds } from '../../support/test-databases.ts';
import { operationAt } from '../support/described.ts';
import { expectInvalid } from '../support/expectations.ts';
import { describeServiceOnMemory } from '../support/service.ts';
import { newPaidOrder, newProduct } from '../support/shop.ts';
import { describeSales, sales } from './sales.suite.ts';

describeSales(localKinds);

describeServiceOnMemory('The report of sales', {}, (service) => {
  const from = 'from=2026-03-01T00:00:00Z';

  it('needs the begin of its first period, and a number of days from 1 to 31', async () => {
    const { operator } = service;
    const invalid = async (query: string, ...fields: readonly string[]) =>
      expectInvalid(await operator.get(`/v1/sales${query}`), ...fields);
    await invalid('', 'from');
    await invalid('?days=3', 'from');
    for (const wrong of ['', '2026-03-01', '2026-02-30T00:00:00Z', '1772323200', 'today'])
      await invalid(`?from=${wrong}`, 'from');
    for (const wrong of ['', '0', '32', '-1', '1.5', '1e1', 'all', 'true'])
      await invalid(`?${from}&days=${wrong}`, 'days');
    await invalid('?from=never&days=32', 'from', 'days');
    for (const name of ['limit', 'cursor', 'sort', 'until', 'currency', 'expand'])
      await invalid(`?${from}&${name}=1`, name);
    await invalid(`?${from}&${from}`, 'from');
    for (const wrong of ['', '%2B01:00', 'Europe/Wien', 'Etc/GMT+5', '1', 'a'.repeat(65)])
      await invalid(`?${from}&time_zone=${wrong}`, 'time_zone');
    await invalid('?from=9999-12-31T12:00:00Z&time_zone=America/New_York', 'from');
    await invalid('?from=9999-12-01T00:00:00Z&days=31', 'from');
  });

  it('is invalid where a sum is beyond 2^53-1', async () => {
    const price = { amount: Number.MAX_SAFE_INTEGER, currency: 'EUR' };
    const product = await newProduct(service, { price });
    const buyer = await service.person('customer');
    const { created_at: first } = await newPaidOrder(buyer, product);
    const [row] = await sales(service.operator, `from=${first}`);
    expect(row.paid).to.deep.equal(price);
    await newPaidOrder(buyer, product);
    expectInvalid(await service.operator.get(`/v1/sales?from=${first}`), 'from');
  });

  it('is described with its own parameters alone, of which one is required', () => {
    const { operationId, parameters } = operationAt('GET /v1/sales');
    const query = parameters.filter((parameter) => parameter.in === 'query');
    expect(operationId).to.equal('listSales');
    expect(query.map(({ name, required }) => [name, required])).to.deep.equal([
      ['from', true],
      ['days', false],
      ['time_zone', false],
    ]);
  });
});
