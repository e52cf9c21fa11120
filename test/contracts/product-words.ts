import { expect } from 'chai';
import * as fc from 'fast-check';
import { openMemory } from '#adapters/persistence/memory/open.ts';
import type { ProductSearch, SearchPageRequest } from '#application/ports/product-words.ts';
import type { PageOrder, ReadRepositories, Repositories } from '#application/ports/repositories.ts';
import type { UnitOfWork } from '#application/ports/unit-of-work.ts';
import { Product, type ProductId, productStatuses } from '#domain/product.ts';
import { Quantity } from '#domain/quantity.ts';
import { type ProductWords, Search } from '#domain/search.ts';
import { mocha, type Suite, storeFor } from './harness.ts';
import { assertRandomly } from './random.ts';
import { aProduct, later } from './samples.ts';

const wordsOf = (product: Product): ProductWords => ({
  productId: product.id,
  words: Search.wordsOf(product),
});

const addAll = async ({ products, productWords }: Repositories, all: readonly Product[]) => {
  await products.addAll(all);
  await productWords.add(all.map(wordsOf));
};

/** A search for the words of a text, and for a tag. */
const searchFor = (text: string, more: Partial<ProductSearch> = {}): ProductSearch => ({
  terms: Search.termsOf(text),
  filter: {},
  ...more,
});

const five = Quantity.of(5);

/** A filter without the fields that ask for nothing. */
const definedIn = (
  filter: { readonly [N in keyof ProductSearch['filter']]: ProductSearch['filter'][N] | undefined },
) =>
  Object.fromEntries(
    Object.entries(filter).filter(([, value]) => value !== undefined),
  ) as ProductSearch['filter'];

/** Walks all pages. */
const walk = async (
  unitOfWork: Pick<UnitOfWork, 'read'>,
  search: ProductSearch,
  limit: number,
  order?: PageOrder,
): Promise<readonly Product[]> => {
  const found: Product[] = [];
  const ids = new Set<string>();
  for (let turn = 0; turn < 2_000; turn += 1) {
    const request: SearchPageRequest = { after: found.at(-1)?.id, limit, order };
    const { rows, hasMore } = await unitOfWork.read(({ productWords }) =>
      productWords.search(search, request),
    );
    found.push(...rows);
    if (!hasMore) return found;
    expect(rows).to.have.lengthOf(limit);
    for (const { id } of rows) ids.add(id);
    // Else it would never end.
    expect(ids.size, 'different products').to.equal(found.length);
  }
  throw new Error('A walk ends.');
};

/** Letters of many scripts with case, accents and marks, and what databases treat in their own ways. */
const letters = [
  ...[
    'a',
    'A',
    'b',
    'Z',
    'é',
    'e\u0301',
    'Å',
    'ß',
    'ẞ',
    'İ',
    'ı',
    'ﬁ',
    '1',
    '９',
    '²',
    'Σ',
    'ς',
    'Ж',
    'й',
    'א',
    'ש\u05bc',
  ],
  ...[
    'ع',
    '٣',
    'कि',
    '\u093f',
    '한',
    'か\u3099',
    'カ',
    'ー',
    '茶',
    '日',
    '本',
    '𠮷',
    'ช',
    'า',
    'ລ',
    'ក',
    '\u17d2',
    'မ',
    '𐐀',
    '🄰',
  ],
];
const others = [
  ' ',
  ' ',
  '-',
  '%',
  '_',
  '*',
  "'",
  '"',
  '\\',
  '\n',
  '👩\u200d👩',
  '\ufe0f',
  '\u{10ffff}',
  '.',
  '#',
  '\u00a0',
  '\u0001',
];

const aText = (maxLength: number) =>
  fc.array(fc.constantFrom(...letters, ...letters, ...others), { maxLength }).map((parts) => parts.join(''));

/** Products that share words, because a search among words that all differ finds nothing. */
const someProducts = fc
  .array(
    fc.record({
      name: aText(8),
      description: fc.option(aText(20)),
      status: fc.constantFrom(...productStatuses),
      stock: fc.option(fc.constantFrom(0, 4.999, 5, 5.001, 1_000_000).map(Quantity.of)),
      tags: fc.uniqueArray(fc.constantFrom('tea', 'dark-roast', 'a', '1'), { maxLength: 2 }),
    }),
    { minLength: 1, maxLength: 12 },
  )
  .map((all) => all.map((details): Product => ({ ...aProduct(), ...details })));

const someSearch = fc.record({
  text: aText(3),
  tag: fc.option(fc.constantFrom('tea', 'dark-roast', 'a')),
  status: fc.option(fc.constantFrom(...productStatuses), { nil: undefined }),
  stockBelow: fc.option(fc.constantFrom(0, 5, 1_000_000).map(Quantity.of), { nil: undefined }),
  limit: fc.integer({ min: 1, max: 5 }),
  order: fc.constantFrom<PageOrder>('ascending', 'descending'),
});

/** Shows a stock that is not counted but taken for an empty one, a word that is ignored, and a mark that is lost. */
const knownFaults = (): [Product[], (typeof someSearch extends fc.Arbitrary<infer T> ? T : never)[]][] => {
  const named = (name: string): Product => ({ ...aProduct(), name, stock: null });
  const search = { tag: null, status: undefined, limit: 2, order: 'ascending' } as const;
  const texts = ['a', 'a b', 'कि'];
  return [
    [
      [named('a'), named('a b'), named('कि')],
      [
        ...texts.map((text) => ({ ...search, text, stockBelow: undefined })),
        ...texts.map((text) => ({ ...search, text, stockBelow: five })),
      ],
    ],
  ];
};

/** The contract of `ProductWordsStore`. */
export const describeProductWords: Suite = (adapter, open, runner = mocha()) =>
  runner.describe(`${adapter}: the words of products`, () => {
    const { it } = runner;
    const store = storeFor(open, runner);
    const find = async (search: ProductSearch, request: SearchPageRequest = { limit: 100 }) => {
      const read = ({ productWords }: ReadRepositories) => productWords.search(search, request);
      return (await store.unitOfWork.read(read)).rows;
    };
    let count = 0;
    /** A word that no other test has. */
    const newWord = (): string => {
      count += 1;
      return `word${'abcdefghij'[count % 10]}${count}x`;
    };
    const add = async (...details: readonly Partial<Product>[]): Promise<readonly Product[]> => {
      const all = details.map((each): Product => ({ ...aProduct(), ...each }));
      await store.unitOfWork.run((repositories) => addAll(repositories, all));
      return all;
    };

    it('find the products that have all of them, by whole words and by prefixes', async () => {
      const [tea, pot] = [newWord(), newWord()];
      const [one, both] = await add({ name: tea }, { name: `${pot} ${tea}y` }, { name: pot });
      expect(await find(searchFor(tea))).to.deep.equal([one, both]);
      expect(await find(searchFor(`${tea} ${pot.slice(0, -1)}`))).to.deep.equal([both]);
      const whole = { terms: [{ text: tea, isPrefix: false }], filter: {} };
      expect(await find(whole)).to.deep.equal([one]);
      expect(await find({ terms: [{ text: tea.slice(0, -1), isPrefix: false }], filter: {} })).to.deep.equal(
        [],
      );
      expect(await find(searchFor(`${tea} ${newWord()}`))).to.deep.equal([]);
    });

    it('find by status and SKU too', async () => {
      const tea = newWord();
      const [active, draft] = await add({ name: tea, sku: `${tea}-1` }, { name: tea, status: 'draft' });
      expect(await find(searchFor(tea, { filter: { status: 'draft' } }))).to.deep.equal([draft]);
      expect(await find(searchFor(tea, { filter: { sku: `${tea}-1` } }))).to.deep.equal([active]);
      expect(await find(searchFor(newWord(), { filter: { sku: `${tea}-1` } }))).to.deep.equal([]);
      const neither = { sku: `${tea}-1`, status: 'draft' } as const;
      expect(await find(searchFor(tea, { filter: neither }))).to.deep.equal([]);
      const upperCase = `${tea}-1`.toUpperCase();
      expect(await find(searchFor(tea, { filter: { sku: upperCase } })), upperCase).to.deep.equal([]);
    });

    it('find counted stocks that are lower than a given one, also without any word', async () => {
      const tea = newWord();
      const stocks = [null, 0, 4.999, 5, 5.001];
      const all = await add(
        ...stocks.map((stock) => ({ name: tea, stock: stock === null ? null : Quantity.of(stock) })),
        { name: tea, stock: Quantity.of(1), status: 'draft', sku: `${tea}-1` },
      );
      const [, none, some, , , draft] = all;
      const low = async (filter: ProductSearch['filter'], text = '') => {
        const found = await find({ terms: Search.termsOf(text), filter: { stockBelow: five, ...filter } });
        return found.filter(({ name }) => name === tea);
      };
      for (const text of ['', tea, tea.slice(0, -1)]) {
        expect(await low({}, text), text).to.deep.equal([none, some, draft]);
        expect(await low({ status: 'draft' }, text), text).to.deep.equal([draft]);
        expect(await low({ sku: `${tea}-1` }, text), text).to.deep.equal([draft]);
        expect(await low({ stockBelow: Quantity.zero }, text), text).to.deep.equal([]);
        expect(await low({ stockBelow: Quantity.of(1), sku: `${tea}-1` }, text), text).to.deep.equal([]);
      }
    });

    it('find every low stock of many products, whether few or most have one', async () => {
      const [tea, rare] = [newWord(), newWord()];
      const all = await add(
        ...Array.from({ length: 2_600 }, (_, index) => ({
          name: `${tea}${index % 20 === 0 ? ` ${rare}` : ''}`,
          stock: Quantity.of(index % 50 === 1 ? 3 : index % 5 === 2 ? 800 : 700),
          status: index % 3 === 0 ? ('draft' as const) : ('active' as const),
        })),
      );
      for (const stockBelow of [five, Quantity.of(750)])
        for (const text of ['', tea, `${tea} ${rare}`])
          for (const status of [undefined, 'draft'] as const)
            for (const order of ['ascending', 'descending'] as const) {
              const search = searchFor(text, { filter: definedIn({ stockBelow, status }) });
              const ids = (await walk(store.unitOfWork, search, 700, order))
                .filter(({ name }) => name.startsWith(tea))
                .map(({ id }) => id);
              const expected = all.filter(
                ({ stock, ...product }) =>
                  stock !== null &&
                  stock < stockBelow &&
                  product.status === (status ?? product.status) &&
                  search.terms.every((term) => Search.matches(Search.wordsOf({ stock, ...product }), term)),
              );
              const inOrder = order === 'ascending' ? expected : expected.toReversed();
              expect(ids).to.deep.equal(inOrder.map(({ id }) => id));
            }
    }, 60_000);

    it('find by tags, as wholes', async () => {
      const tag = newWord();
      const [tagged] = await add({ tags: [tag] }, { tags: [`${tag}-1`] }, { name: tag });
      expect(await find({ terms: [Search.termOfTag(tag)], filter: {} })).to.deep.equal([tagged]);
    });

    it('find by words and tags up to the last of 41 characters', async () => {
      // A tag has a sign before it. A word is longest in bytes where each letter is beyond the basic plane.
      for (const begin of [`#${newWord().padEnd(39, 'x')}`, `${newWord()[0]}${'\u{10428}'.repeat(39)}`]) {
        const words = ['a', 'b', '\u{10429}'].map((end) => begin + end);
        const all = words.map(() => aProduct());
        const indexed = all.map(({ id }, index) => ({
          productId: id,
          words: new Set(words.slice(index, index + 1)),
        }));
        await store.unitOfWork.run(async ({ products, productWords }) => {
          await products.addAll(all);
          await productWords.add(indexed);
        });
        await store.unitOfWork.run(({ productWords }) => productWords.replace(indexed.slice(1, 2)));
        for (const [index, text] of words.entries())
          for (const isPrefix of [false, true])
            expect(await find({ terms: [{ text, isPrefix }], filter: {} }), text).to.deep.equal([all[index]]);
        const found = await store.unitOfWork.read(({ productWords }) =>
          productWords.between({ upTo: all.at(-1)?.id }),
        );
        expect(found.slice(-3)).to.deep.equal(indexed);
      }
    });

    it('are read in ranges of ids, with those of products that do not exist', async () => {
      const all = (await add({ name: newWord() }, { name: newWord() }, { name: newWord() })).map(wordsOf);
      const [first, second, third] = all.map(({ productId }) => productId);
      const between = (after?: ProductId, upTo?: ProductId) =>
        store.unitOfWork.read(({ productWords }) => productWords.between({ after, upTo }));
      expect(await between(first, third)).to.deep.equal(all.slice(1));
      expect(await between(first, second)).to.deep.equal(all.slice(1, 2));
      expect((await between(undefined, second)).slice(-2)).to.deep.equal(all.slice(0, 2));
      expect((await between(second)).slice(0, 1)).to.deep.equal(all.slice(2));
      if (second !== undefined) await store.unitOfWork.run(({ products }) => products.remove(second));
      expect(await between(first, second)).to.deep.equal(all.slice(1, 2));
    });

    it('find nothing of a product that is gone', async () => {
      const tea = newWord();
      const [gone, stays] = await add({ name: tea }, { name: tea });
      if (gone !== undefined) await store.unitOfWork.run(({ products }) => products.remove(gone.id));
      expect(await find(searchFor(tea))).to.deep.equal([stays]);
    });

    it('stay when a product changes, until they are replaced', async () => {
      const [tea, pot] = [newWord(), newWord()];
      const [before] = await add({ name: tea });
      if (before === undefined) throw new Error('There is one.');
      const changed = Product.change(before, { name: pot }, later(1));
      await store.unitOfWork.run(({ products }) => products.save(changed));
      expect(await find(searchFor(tea))).to.deep.equal([changed]);
      await store.unitOfWork.run(({ productWords }) => productWords.replace([wordsOf(changed)]));
      expect(await find(searchFor(tea))).to.deep.equal([]);
      expect(await find(searchFor(pot))).to.deep.equal([changed]);
    });

    it('are replaced for each product of a list, and leave the index where there are none', async () => {
      const [tea, pot] = [newWord(), newWord()];
      const [one, other, third] = await add({ name: tea }, { name: tea }, { name: tea });
      if (one === undefined || other === undefined) throw new Error('There are three.');
      await store.unitOfWork.run(({ productWords }) =>
        productWords.replace([
          { productId: one.id, words: new Set([pot]) },
          { productId: other.id, words: new Set() },
        ]),
      );
      expect(await find(searchFor(tea))).to.deep.equal([third]);
      expect(await find(searchFor(pot))).to.deep.equal([one]);
      const range = { after: one.id, upTo: other.id };
      expect(await store.unitOfWork.read(({ productWords }) => productWords.between(range))).to.deep.equal(
        [],
      );
    });

    it('are replaced of as many products as an import has in a batch, and again', async () => {
      const words = [newWord(), newWord(), newWord()];
      const all = await add(...Array.from({ length: 500 }, () => ({ name: words[0] ?? '' })));
      for (const [turn, word] of words.slice(1).entries()) {
        const list = all.map(({ id }) => ({ productId: id, words: new Set([word]) }));
        await store.unitOfWork.run(({ productWords }) => productWords.replace(list));
        const found = await find(searchFor(word), { limit: 1_000 });
        expect(found.map(({ id }) => id)).to.deep.equal(all.map(({ id }) => id));
        expect(await find(searchFor(words[turn] ?? ''))).to.deep.equal([]);
      }
    });

    it('are seen by the unit of work that changes them, and by no other before it commits', async () => {
      const [tea, pot] = [newWord(), newWord()];
      const [kept, changed] = await add({ name: tea }, { name: tea });
      if (kept === undefined || changed === undefined) throw new Error('There are two.');
      const product: Product = { ...aProduct(), name: tea };
      await store.unitOfWork.run(async (repositories) => {
        const own = async (text: string) =>
          (await repositories.productWords.search(searchFor(text), { limit: 5 })).rows;
        await addAll(repositories, [product]);
        expect(await own(tea)).to.deep.equal([kept, changed, product]);
        expect(await repositories.productWords.between({ after: kept.id, upTo: product.id })).to.deep.equal(
          [changed, product].map(wordsOf),
        );
        for (const { id } of [changed, product])
          await repositories.productWords.replace([{ productId: id, words: new Set([pot]) }]);
        expect(await own(tea)).to.deep.equal([kept]);
        expect(await own(pot)).to.deep.equal([changed, product]);
      });
      expect(await find(searchFor(pot))).to.deep.equal([changed, product]);
    });

    it('roll back with all other changes', async () => {
      const tea = newWord();
      const [product] = await add({ name: tea });
      if (product === undefined) throw new Error('There is one.');
      const failed = store.unitOfWork.run(async ({ productWords }) => {
        await productWords.replace([{ productId: product.id, words: new Set() }]);
        throw new Error('It fails.');
      });
      await failed.catch(() => undefined);
      expect(await find(searchFor(tea))).to.deep.equal([product]);
    });

    it('find pages in the order of ids, which continue behind the last product', async () => {
      const [tea, pot] = [newWord(), newWord()];
      const all = await add(
        ...Array.from({ length: 23 }, (_, index) => ({
          name: index % 3 === 0 ? `${tea}${index}` : `${tea} ${pot}`,
          status: index % 4 === 0 ? ('draft' as const) : ('active' as const),
        })),
      );
      for (const text of [tea, `${tea} ${pot}`, `${pot} ${tea}1`])
        for (const limit of [1, 2, 7, 100]) {
          const search = searchFor(text, { filter: { status: 'active' } });
          const expected = all.filter(
            (product) =>
              product.status === 'active' &&
              search.terms.every((term) => Search.matches(Search.wordsOf(product), term)),
          );
          expect(await walk(store.unitOfWork, search, limit)).to.deep.equal(expected);
          expect(await walk(store.unitOfWork, search, limit, 'descending')).to.deep.equal(
            expected.toReversed(),
          );
        }
    });

    it('find as many as there are, of common words and of prefixes with many words', async () => {
      const [tea, pot, cup, jar, lid, bag] = [
        newWord(),
        newWord(),
        newWord(),
        newWord(),
        newWord(),
        newWord(),
      ];
      const all = await add(
        ...Array.from({ length: 4_400 }, (_, index) => ({
          name: `${tea} ${pot}${index}${index % 9 === 0 ? ` ${cup}` : ''} ${bag}${index % 2 === 0 ? '' : 's'}`,
          tags: [...(index % 2 === 0 || index % 100 === 51 ? [jar] : []), ...(index % 2 === 1 ? [lid] : [])],
        })),
      );
      const every = (text: string) => {
        const terms = Search.termsOf(text);
        return all.filter((each) => terms.every((term) => Search.matches(Search.wordsOf(each), term)));
      };
      // One word, one of few, two that few have together, few words of many, many words of many, and all of these together.
      for (const text of [
        tea,
        `${tea} ${cup}`,
        `${jar} ${lid}`,
        `${jar} ${tea}`,
        `${bag} ${cup}`,
        `${pot}29`,
        pot,
        `${pot}1 ${cup}`,
        `${cup} ${pot} ${tea}`,
        `${pot} ${pot}2`,
      ])
        for (const order of ['ascending', 'descending'] as const) {
          const expected = order === 'ascending' ? every(text) : every(text).toReversed();
          const ids = (await walk(store.unitOfWork, searchFor(text), 700, order)).map(({ id }) => id);
          expect(ids, text).to.deep.equal(expected.map(({ id }) => id));
        }
    }, 60_000);

    it('find what the reference finds, in every script', () =>
      assertRandomly(
        fc.asyncProperty(someProducts, fc.array(someSearch, { maxLength: 12 }), async (all, searches) => {
          const reference = await openMemory();
          // Of this turn alone, because the store still has the products of others.
          const mark = newWord();
          const marked = all.map((product): Product => ({ ...product, sku: `${mark} ${product.id}` }));
          for (const each of [reference, store])
            await each.unitOfWork.run((repositories) => addAll(repositories, marked));
          for (const { text, tag, limit, order, ...filter } of searches) {
            const terms = [
              ...Search.termsOf(text).slice(0, 7),
              ...(tag === null ? [] : [Search.termOfTag(tag)]),
              { text: mark, isPrefix: false },
            ];
            const search = { terms, filter: definedIn(filter) };
            expect(await walk(store.unitOfWork, search, limit, order)).to.deep.equal(
              await walk(reference.unitOfWork, search, limit, order),
            );
          }
          const words = await store.unitOfWork.read(({ productWords }) =>
            productWords.between({ upTo: marked.at(-1)?.id }),
          );
          expect(words.slice(-marked.length)).to.deep.equal(marked.map(wordsOf));
        }),
        40,
        knownFaults(),
      ));
  });
