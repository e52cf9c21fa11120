import type { ImportedProduct } from '#application/use-cases/product-import.ts';
import { Quantity } from '#domain/quantity.ts';

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
