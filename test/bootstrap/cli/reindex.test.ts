import BetterSqlite3 from 'better-sqlite3';
import { expect } from 'chai';
import { openSqlite } from '#adapters/persistence/sqlite/open.ts';
import { Search } from '#domain/search.ts';
import { aProduct } from '../../contracts/samples.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { runHere } from '../support/portico.ts';

describe('portico reindex', () => {
  const place = temporaryFolder();

  /** A file with products as a release without search has left it. */
  const fileWith = async (name: string, count: number) => {
    const file = place(name);
    const store = await openSqlite({ file });
    const products = Array.from({ length: count }, (_, index) => aProduct({ name: `Tea ${index}` }));
    await store.unitOfWork.run((repositories) => repositories.products.addAll(products));
    await store.close();
    return { file, products, settings: { DATABASE_URL: `sqlite:${file}` } };
  };

  it('adds the words of all products, and says how many had none', async () => {
    const { file, products, settings } = await fileWith('old.db', 120);
    expect(await runHere(['reindex'], settings)).to.deep.equal({
      code: 0,
      output: '',
      errors: 'Compared 120 products: 120 reindexed.\n',
    });
    const store = await openSqlite({ file });
    const stored = await store.unitOfWork.read(({ productWords }) => productWords.between({}));
    await store.close();
    expect(stored).to.deep.equal(
      products.map((product) => ({ productId: product.id, words: Search.wordsOf(product) })),
    );
    expect(await runHere(['reindex', '--quiet'], settings)).to.deep.equal({
      code: 0,
      output: '',
      errors: '',
    });
  });

  it('removes words of products that are gone, and prints its counts as JSON', async () => {
    const { file, settings } = await fileWith('spoiled.db', 1);
    await runHere(['reindex', '--quiet'], settings);
    const database = new BetterSqlite3(file);
    database.exec("insert into product_words values ('tea', '00000000-0000-7000-8000-000000000000')");
    database.exec("insert into product_words values ('tea', 'fffffff0-0000-7000-8000-000000000000')");
    database.exec("delete from product_words where word = 'tea' and product_id like '01%'");
    const counts = { products: 1, reindexed: 3, done: true };
    const { output } = await runHere(['reindex', '--json'], settings);
    expect(JSON.parse(output)).to.deep.equal(counts);
    const left = database.prepare('select count(distinct product_id) as count from product_words').get();
    database.close();
    expect(left).to.deep.equal({ count: 1 });
    expect(JSON.parse((await runHere(['reindex', '--json'], settings)).output)).to.deep.equal({
      ...counts,
      reindexed: 0,
    });
  });

  it('needs a database that is there and is kept', async () => {
    const missing = await runHere(['reindex'], { DATABASE_URL: `sqlite:${place('none.db')}` });
    expect(missing.code).to.equal(1);
    expect(missing.errors).to.include('does not exist');
    expect((await runHere(['reindex'], { DATABASE_URL: 'memory:' })).code).to.equal(1);
  });
});
