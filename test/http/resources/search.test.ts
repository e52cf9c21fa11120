import { expect } from 'chai';
import { localKinds } from '../../support/test-databases.ts';
import { expectInvalid, expectList } from '../support/expectations.ts';
import { expectProblem } from '../support/protocol.ts';
import { describeServiceOnMemory } from '../support/service.ts';
import { newProduct } from '../support/shop.ts';
import { describeSearch } from './search.suite.ts';

describeSearch(localKinds);

describeServiceOnMemory('The query of a search', {}, (service) => {
  const get = (query: string) => service.operator.get(`/v1/products?${query}`);

  it('has at least one word and at most eight', async () => {
    for (const q of [
      '',
      '+',
      '%25',
      '_*',
      '%22%27%5C',
      '%F0%9F%8D%B5',
      '%CC%81',
      'a+b+c+d+e+f+g+h+i',
      'tea+'.repeat(9),
    ])
      expectInvalid(await get(`q=${q}`), 'q');
    for (const q of ['a+b+c+d+e+f+g+h', '0', '%E0%B8%B2', '%CC%81a']) expectList(await get(`q=${q}`));
  });

  it('cannot hold the NUL character, or half a character', async () => {
    expectInvalid(await get('q=tea%00pot'), 'q');
    expectProblem(await get('q=%ED%A0%80'), '400 BAD_REQUEST');
    expectProblem(await get('q=tea%'), '400 BAD_REQUEST');
  });

  it('is given once, beside a tag that a product can have', async () => {
    expectInvalid(await get('q=tea&q=pot'), 'q');
    for (const tag of ['', 'Tea', 'a+b', 'x'.repeat(41), '%23tea', 'é'])
      expectInvalid(await get(`tag=${tag}`), 'tag');
  });

  it('has a stock below which products are found', async () => {
    for (const stock of [null, 0, 4.5, 5]) await newProduct(service, { name: 'Tea', stock });
    const stocks = async (query: string) =>
      (await get(query)).body.data.map(({ stock }: { readonly stock: number }) => stock);
    expect(await stocks('stock_below=5')).to.deep.equal([0, 4.5]);
    expect(await stocks('stock_below=4.501&q=tea&status=active')).to.deep.equal([0, 4.5]);
    expect(await stocks('stock_below=5&sort=-id&limit=1')).to.deep.equal([4.5]);
    expect(await stocks('stock_below=0')).to.deep.equal([]);
    for (const stock of ['-1', '1000001', '0.0001', 'few', '', '1e3'])
      expectInvalid(await get(`stock_below=${stock}`), 'stock_below');
    const { next_cursor: cursor } = (await get('stock_below=5&limit=1')).body.pagination;
    expect(await stocks(`stock_below=5.0&cursor=${cursor}`)).to.deep.equal([4.5]);
    for (const query of ['stock_below=6', 'q=tea&stock_below=5', ''])
      expectInvalid(await get(`${query}&cursor=${cursor}`), 'cursor');
  });

  it('binds the cursor', async () => {
    for (const name of ['Tea 1', 'Tea 2']) await newProduct(service, { name, tags: ['tea'] });
    const { pagination } = (await get('q=tea&tag=tea&limit=1')).body;
    const { next_cursor: cursor } = pagination;
    expectList(await get(`tag=tea&q=te%61&cursor=${cursor}&limit=5`));
    for (const query of ['q=tea', 'tag=tea', 'q=te&tag=tea', 'q=tea&tag=te', ''])
      expectInvalid(await get(`${query}&cursor=${cursor}`), 'cursor');
  });
});
