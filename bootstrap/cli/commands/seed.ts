import type { ImportedProduct } from '#application/use-cases/product-import.ts';
import { Quantity } from '#domain/quantity.ts';
import { integerBetween } from '../../config/env-parser.ts';
import { command, flag, required } from '../framework/command.ts';
import { exitCodeForSignal, exitCodes } from '../framework/exit-codes.ts';
import { upsertWithFallback } from '../import/upsert-with-fallback.ts';
import { withApplication } from '../open-application.ts';

/** Products in one unit of work. */
const batchSize = 500;

export const seed = command({
  name: 'seed',
  description: 'Fill the catalogue with realistic products, the same ones each time.',
  details: ['Existing products stay as they are, so a larger number adds only the missing ones.'],
  options: {
    products: required('N', {
      description: 'The number of products.',
      expects: 'a whole number from 1 to 10000000',
      parse: integerBetween(1, 10_000_000),
    }),
    quiet: flag('Show no progress.'),
  },
  run: ({ products, quiet }, terminal) =>
    withApplication(async ({ application }) => {
      const interrupt = terminal.interruptSignal();
      const progress = terminal.progress(!quiet);
      const totals = { done: 0, added: 0 };
      try {
        while (totals.done < products && !interrupt.aborted) {
          const count = Math.min(batchSize, products - totals.done);
          const batch = Array.from({ length: count }, (_, index) => seedProduct(totals.done + index + 1));
          const { added } = await upsertWithFallback(
            application,
            batch,
            application.useCases.products.insertMissing,
          );
          totals.done += count;
          totals.added += added;
          progress.update({ done: totals.done, share: totals.done / products, unit: 'products' });
        }
      } finally {
        progress.end();
      }
      await terminal.print(`${totals.added} products added, ${totals.done - totals.added} unchanged.\n`);
      return interrupt.aborted ? exitCodeForSignal(interrupt) : exitCodes.success;
    }),
});

/** For each kind of goods: variants, sizes, and the lowest and highest price in euro cents. */
const goods = [
  [
    'Coffee',
    ['Ethiopia', 'Colombia', 'Kenya', 'Sumatra', 'Peru', 'Rwanda'],
    ['250 g', '500 g', '1 kg'],
    890,
    3900,
  ],
  [
    'Tea',
    ['Sencha', 'Assam', 'Darjeeling', 'Rooibos', 'Oolong', 'Earl Grey'],
    ['50 g', '100 g', '250 g'],
    490,
    2900,
  ],
  ['Mug', ['Stoneware', 'Enamel', 'Porcelain', 'Glass'], ['200 ml', '350 ml', '500 ml'], 900, 2900],
  ['Kettle', ['Gooseneck', 'Steel', 'Copper', 'Cast iron'], ['0.6 l', '0.9 l', '1.2 l'], 3900, 14900],
  ['Notebook', ['Linen', 'Leather', 'Recycled', 'Dotted', 'Ruled'], ['A6', 'A5', 'A4'], 490, 3900],
  ['Lamp', ['Oak', 'Walnut', 'Brass', 'Paper'], ['30 cm', '45 cm', '60 cm'], 3900, 24900],
  ['Blanket', ['Wool', 'Cotton', 'Linen', 'Mohair'], ['130 x 170 cm', '150 x 200 cm'], 4900, 19900],
  ['Backpack', ['Canvas', 'Waxed', 'Nylon', 'Felt'], ['12 l', '18 l', '25 l'], 5900, 18900],
  ['Knife', ['Paring', 'Bread', 'Santoku', 'Utility'], ['9 cm', '15 cm', '20 cm'], 1900, 15900],
  ['Soap', ['Olive', 'Lavender', 'Cedar', 'Pine tar'], ['80 g', '120 g'], 390, 1290],
] as const;

const makers = [
  'Alder',
  'Birch & Sons',
  'Corvid',
  'Dune',
  'Elmsworth',
  'Fjord',
  'Grove',
  'Harbour',
  'Inkwell',
  'Juniper',
];

const colours = ['natural', 'black', 'white', 'moss', 'ochre', 'slate', 'rust', 'midnight'];

const notes = [
  'Made in small batches.',
  'Keeps for years.',
  'A good present.',
  'Ships in plain cardboard.',
  'Repaired for free.',
];

/** A generated product. @param number from 1; the same number always yields the same product */
export const seedProduct = (number: number): ImportedProduct => {
  const randomBelow = seededRandom(number);
  const pick = <T>(from: readonly T[]): T => from[randomBelow(from.length)] as T;
  const [kind, variants, sizes, minPrice, maxPrice] = pick(goods);
  const variant = pick<string>(variants);
  const size = pick<string>(sizes);
  const [maker, colour] = [pick(makers), pick(colours)];
  return {
    sku: `SEED-${`${number}`.padStart(7, '0')}`,
    name: `${maker} ${variant.toLowerCase()} ${kind.toLowerCase()}, ${colour}, ${size}`,
    description:
      randomBelow(10) === 0
        ? null
        : `${variant} ${kind.toLowerCase()} by ${maker}, in ${colour}. ${pick(notes)}`,
    price: { amount: minPrice + 10 * randomBelow((maxPrice - minPrice) / 10), currency: 'EUR' },
    status: randomBelow(20) === 0 ? 'archived' : 'active',
    stock: randomBelow(8) === 0 ? null : Quantity.of(randomBelow(500)),
  };
};

/** A seeded pseudo-random generator of whole numbers below a bound (Mulberry32). */
const seededRandom = (seed: number): ((bound: number) => number) => {
  let state = Math.imul(seed, 0x9e3779b1);
  return (bound) => {
    state = (state + 0x6d2b79f5) | 0;
    let mix = Math.imul(state ^ (state >>> 15), state | 1);
    mix ^= mix + Math.imul(mix ^ (mix >>> 7), mix | 61);
    return ((mix ^ (mix >>> 14)) >>> 0) % bound;
  };
};
