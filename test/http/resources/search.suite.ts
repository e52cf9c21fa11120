import { expect } from 'chai';
import { expectList } from '../support/expectations.ts';
import { serviceSuite } from '../support/service.ts';
import { newProduct } from '../support/shop.ts';

export const describeSearch = serviceSuite('A search for products', {}, (service) => {
  const namesFor = async (query: Record<string, string>, caller = service.operator): Promise<string[]> =>
    expectList(await caller.get(`/v1/products?${new URLSearchParams(query)}`)).map(({ name }) => name);

  before(async () => {
    for (const fields of [
      { name: 'Crème brûlée', sku: 'DES-1', tags: ['dessert'] },
      { name: 'Green tea', sku: 'TEA-1', description: 'From Kyōto', tags: ['tea', 'single-origin'] },
      { name: 'Teapot', sku: 'POT-1', tags: ['tea-ware'] },
      { name: '日本茶', sku: 'TEA-2', tags: ['tea'], status: 'draft' },
      { name: 'T Shirt Straße', sku: 'SHI-100' },
      { name: 'Чай ΣΊΣΥΦΟΣ', sku: 'X%_1' },
      { name: 'Łódź Þór L’Oréal', sku: 'COF-ETH-250' },
      { name: 'أَحمد', description: '<p class="lead">Kaf&shy;fee, <strong>5 < 6</strong></p>' },
    ])
      await newProduct(service, fields);
  });

  const cases: Record<string, readonly [q: string, ...names: string[]]> = {
    'by the begin of a word': ['te', 'Green tea', 'Teapot', '日本茶'],
    'by several words, in any order and case': ['KYO gre', 'Green tea'],
    'without accents': ['creme BRULEE', 'Crème brûlée'],
    'with accents that the text has not': ['tëäpöt', 'Teapot'],
    'by ss for ß': ['strasse', 'T Shirt Straße'],
    'by the SKU': ['shi 100', 'T Shirt Straße'],
    'by a tag’s word': ['origin', 'Green tea'],
    'by a whole word of one letter': ['t', 'T Shirt Straße'],
    'by one character of a script without spaces': ['茶', '日本茶'],
    'by neighbours in a script without spaces': ['本茶', '日本茶'],
    'by final and other sigmas alike': ['σισυφος чай', 'Чай ΣΊΣΥΦΟΣ'],
    'by plain letters for those without a decomposition': ['lodz thor', 'Łódź Þór L’Oréal'],
    'without an apostrophe or hyphens': ['loreal COFETH250', 'Łódź Þór L’Oréal'],
    'with an apostrophe and hyphens': ["l'oréal cof-eth-250", 'Łódź Þór L’Oréal'],
    'by parts where the text has a space': ['t-shirt', 'T Shirt Straße'],
    'without the marks of Arabic': ['احمد', 'أَحمد'],
    'by the text of an HTML description': ['kaffee 5 6', 'أَحمد'],
    'and find nothing by its tags': ['strong'],
    'and take signs for no letters': ['%x_*"\'\\ 1', 'Чай ΣΊΣΥΦΟΣ'],
    'and find nothing by the middle of a word': ['apot'],
    'and find nothing where one word is missing': ['green coffee'],
    'by a word of 10 kilobytes': ['x'.repeat(10_000)],
    'by a word that is there twice': ['tea tea te green', 'Green tea'],
  };
  for (const [title, [q, ...names]] of Object.entries(cases))
    it(`finds ${title}`, async () => expect(await namesFor({ q })).to.deep.equal(names));

  it('finds by a whole tag, and by all filters at once', async () => {
    expect(await namesFor({ tag: 'tea' })).to.deep.equal(['Green tea', '日本茶']);
    expect(await namesFor({ tag: 'tea', q: 'te' })).to.deep.equal(['Green tea', '日本茶']);
    expect(await namesFor({ tag: 'tea', status: 'draft' })).to.deep.equal(['日本茶']);
    expect(await namesFor({ tag: 'tea', q: 'te', sku: 'TEA-1', status: 'active' })).to.deep.equal([
      'Green tea',
    ]);
    expect(await namesFor({ tag: 'te' })).to.deep.equal([]);
  });

  it('shows customers active products only', async () => {
    const customer = await service.person('customer');
    expect(await namesFor({ q: 'te' }, customer)).to.deep.equal(['Green tea', 'Teapot']);
    expect(await namesFor({ tag: 'tea' }, customer)).to.deep.equal(['Green tea']);
    expect(await namesFor({ q: 'te', status: 'draft' }, customer)).to.deep.equal([]);
  });

  it('lists page by page in both directions, and keeps q and tag in the link', async () => {
    for (const [sort, names] of [
      ['', ['Green tea', 'Teapot', '日本茶']],
      ['&sort=-id', ['日本茶', 'Teapot', 'Green tea']],
    ] as const) {
      const walked: string[] = [];
      let next: string | null = `/v1/products?q=TE&limit=1${sort}`;
      while (next !== null) {
        const { body } = await service.operator.get(next);
        walked.push(...body.data.map(({ name }: { name: string }) => name));
        next = body.links.next;
        if (next !== null) expect(new URL(next, 'http://x').searchParams.get('q')).to.equal('TE');
      }
      expect(walked).to.deep.equal(names);
    }
  });

  it('follows each change at once', async () => {
    const { id } = await newProduct(service, { name: 'Oolong', tags: ['loose'] });
    await service.operator.patch(`/v1/products/${id}`, { name: 'Matcha', tags: ['powder'] });
    expect(await namesFor({ q: 'oolong' })).to.deep.equal([]);
    expect(await namesFor({ q: 'matcha', tag: 'powder' })).to.deep.equal(['Matcha']);
    await service.operator.put(`/v1/products/${id}`, {
      name: 'Hojicha',
      price: { amount: 1, currency: 'EUR' },
    });
    expect(await namesFor({ tag: 'powder' })).to.deep.equal([]);
    expect(await namesFor({ q: 'hoji' })).to.deep.equal(['Hojicha']);
    await service.operator.delete(`/v1/products/${id}`);
    expect(await namesFor({ q: 'hoji' })).to.deep.equal([]);
  });
});
