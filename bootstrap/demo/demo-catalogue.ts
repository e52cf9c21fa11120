/** The products of the demonstration: sku, name, price in euro cents, stock, description. */
export const catalogue = [
  ['COF-ETH-250', 'Ethiopia Yirgacheffe, 250 g', 1290, 120, 'Washed. Bergamot, apricot and black tea.'],
  ['COF-COL-250', 'Colombia Huila, 250 g', 1150, 90, 'Caramel, red apple and a long finish.'],
  ['COF-SUM-1K', 'House espresso, 1 kg', 2990, 45, 'Cocoa and hazelnut, made for milk.'],
  ['COF-DEC-250', 'Decaf Peru, 250 g', 1190, 60, 'Sugar-cane process. Toffee and plum.'],
  ['COF-BULK', 'Green coffee, by the kilogram', 950, 310, 'Unroasted, by the whole kilogram.'],
  ['TEA-SEN-100', 'Sencha Kagoshima, 100 g', 1450, 38, 'First flush, steamed long.'],
  ['TEA-ASS-100', 'Assam second flush, 100 g', 980, 52, 'Malty, and does not mind milk.'],
  ['TEA-ROO-200', 'Rooibos, 200 g', 690, 80, null],
  ['BRW-V60-02', 'Dripper, size 02', 1890, 34, 'Porcelain, for one to four cups.'],
  ['BRW-FIL-100', 'Paper filters, 100 pieces', 650, 200, 'Unbleached, for the dripper.'],
  ['BRW-FRP-1L', 'French press, 1 l', 3490, 22, 'Double wall, keeps warm for an hour.'],
  ['BRW-MOK-6', 'Moka pot, six cups', 3290, 18, null],
  ['GRD-HND-38', 'Hand grinder, 38 mm steel burrs', 9900, 12, 'From espresso to French press.'],
  ['GRD-EL-64', 'Electric grinder, 64 mm flat burrs', 54900, 4, 'Grinds by weight.'],
  ['KTL-GSN-09', 'Gooseneck kettle, 0.9 l', 7900, 15, 'Holds any temperature from 40 to 100 °C.'],
  ['SCL-BRW-2K', 'Brewing scale, 2 kg', 5900, 27, 'To 0.1 g, with a timer.'],
  ['CUP-ESP-2', 'Espresso cups, set of two', 2200, 40, 'Stoneware, 70 ml.'],
  ['CUP-MUG', 'Mug, 350 ml', 1600, 64, 'Stoneware.'],
  ['CUP-TOGO', 'Cup for the road, 400 ml', 2790, 33, 'Steel, keeps a secret and the heat.'],
  ['ACC-TMP-58', 'Tamper, 58 mm', 3900, 16, null],
  ['ACC-BRU', 'Grinder brush', 750, 70, null],
  ['BOK-BREW', 'Book: Brewing, step by step', 2400, 25, '160 pages, with troubleshooting tables.'],
  ['GFT-050', 'Gift card, 50 euro', 5000, null, 'Sent by e-mail. Never out of stock.'],
  ['CLS-CUP', 'Cupping class, one seat', 4500, 8, 'Saturdays at ten.'],
] as const;

/** What the owner has removed from the stock. */
export const breakage = { sku: 'CUP-TOGO', change: -3, reason: 'Broken in transport' } as const;

/** The purchase that was paid in the shop. */
export const inCash = { sku: 'GRD-HND-38', reference: 'Receipt 2026-0117' } as const;

/** Percent, as in Austria. A gift card is taxed when it is spent. */
export const taxRateOf = (sku: string): number | null => {
  if (sku.startsWith('GFT')) return null;
  return /^(COF|TEA|BOK)/.test(sku) ? 10 : 20;
};

/** By how SKUs begin. A more exact beginning adds to a shorter one. */
const tags = {
  ...{
    COF: 'coffee',
    'COF-ETH': 'single-origin',
    'COF-COL': 'single-origin',
    'COF-DEC': 'decaf',
    'COF-SUM': 'espresso',
  },
  ...{ TEA: 'tea', 'TEA-SEN': 'green', 'TEA-ASS': 'black', 'TEA-ROO': 'decaf' },
  ...{ BRW: 'brewing', 'BRW-MOK': 'espresso', GRD: 'grinder', KTL: 'kettle', SCL: 'scale' },
  ...{ CUP: 'cup', 'CUP-ESP': 'espresso', 'CUP-TOGO': 'steel', 'ACC-TMP': 'espresso', 'ACC-BRU': 'grinder' },
  ...{ BOK: 'book', GFT: 'gift', CLS: 'class' },
};

export const tagsOf = (sku: string): readonly string[] =>
  Object.entries(tags).flatMap(([beginning, tag]) => (sku.startsWith(beginning) ? [tag] : []));

/** Nothing is there: what shows the demonstration has no images. */
export const imageUrlOf = (sku: string): string => `https://example.com/images/${sku.toLowerCase()}.jpg`;

/** What sending the first order of a customer costs, in euro cents, and its tax in percent. */
export const shipping = { amount: 490, taxRate: 20 } as const;

export const owner = { name: 'Shop owner', email: 'admin@example.com' } as const;

/**
 * Customers with their addresses and purchases: sku, quantity, and the rating, title and text of the review. The first one's key is
 * shown, and the first purchase has no review, so that a visitor can write one.
 */
export const customers = [
  {
    name: 'Ada Winter',
    email: 'ada@example.com',
    address: { line1: 'Herrengasse 1', postalCode: '1010', city: 'Wien', country: 'AT' },
    bought: [
      ['COF-ETH-250', 2, null, null, null],
      ['BRW-V60-02', 1, 5, 'My morning', 'Does what it should.'],
    ],
  },
  {
    name: 'Björn Lund',
    email: 'bjorn@example.com',
    address: { line1: 'Storgatan 5', postalCode: '211 42', city: 'Malmö', country: 'SE' },
    bought: [
      ['COF-BULK', 2, 4, 'Good for home roasting', 'Even beans, hardly any quakers.'],
      ['GRD-HND-38', 1, 3, 'Solid, slow', 'Great grind, but a workout at 6 a.m.'],
    ],
  },
  {
    name: 'Chiara Rossi',
    email: 'chiara@example.com',
    address: { line1: 'Via Roma 12', postalCode: '10121', city: 'Torino', country: 'IT' },
    bought: [['BRW-MOK-6', 1, 5, 'Come a casa', 'The real thing. ☕']],
  },
] as const;

/** What is ordered together with the purchase of this sku: sku and quantity. */
export const basket = {
  sku: 'BRW-MOK-6',
  others: [
    ['COF-SUM-1K', 1],
    ['CUP-ESP-2', 2],
  ],
} as const;
