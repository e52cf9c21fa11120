/** Headers that can only mean how many there are, unlike a quantity, which may also be what arrived. */
const stockCounts = [
  ...['inventory', 'inventory_quantity', 'variant_inventory_qty', 'stock_quantity', 'in_stock', 'on_hand'],
  ...['bestand', 'lagerbestand', 'existencias'],
];

/** What a column can hold, and how headers of spreadsheets and other shops name it. */
export const fields = [
  [
    'sku',
    'Article number (SKU)',
    [
      'variant_sku',
      ...['article', 'article_number', 'article_no', 'article_nr', 'article_id', 'art_no'],
      ...['artikelnummer', 'artikelnr', 'artikel_nr', 'art_nr', 'artnr'],
      ...['item', 'item_number', 'item_no', 'item_nr', 'numero_d_article'],
      'product_code',
      'code',
      'reference',
      'ref',
    ],
  ],
  [
    'name',
    'Name',
    ['title', 'product', 'product_name', 'titel', 'bezeichnung', 'artikel', 'produkt', 'nom', 'nombre'],
  ],
  [
    'price',
    'Price',
    ['regular_price', 'variant_price', 'unit_price', 'preis', 'verkaufspreis', 'vk', 'prix', 'precio'],
  ],
  ['price_amount', 'Price in cents', []],
  ['currency', 'Currency', ['price_currency', 'wahrung', 'waehrung', 'devise', 'moneda']],
  [
    'stock',
    'Stock',
    [...stockCounts, ...['quantity', 'qty', 'menge', 'anzahl', 'stuck', 'quantite', 'cantidad']],
  ],
  ['description', 'Description', ['body_html', 'long_description', 'beschreibung', 'descripcion']],
  [
    'tax_rate',
    'Tax in percent',
    ['tax', 'vat', 'vat_rate', 'mwst', 'ust', 'steuer', 'steuersatz', 'tva', 'iva'],
  ],
  ['quantity_step', 'Sold in steps of', []],
  ['tags', 'Tags', ['tag', 'labels', 'keywords', 'schlagworte', 'schlagworter']],
  [
    'image_urls',
    'Images',
    ['images', 'image', 'image_url', 'image_src', 'product_image_url', 'bild', 'bilder'],
  ],
  ['status', 'Status', ['published', 'published_on_online_store', 'state']],
  ['metadata', 'Own fields (JSON)', []],
];

/** A column whose texts are kept under its own name. */
export const ownField = 'own';

const prefix = 'metadata.';

/** `Preis (brutto)` becomes `preis_brutto`, and `Währung` becomes `wahrung`. */
const normalName = (name) =>
  name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll(/[^\p{L}\p{N}]+/gu, '_')
    .replaceAll(/^_|_$/g, '');

/** @returns the field that a header names; undefined for any other */
export const fieldOf = (header) => {
  if (header.trim().startsWith(prefix)) return ownField;
  const name = normalName(header);
  return fields.find(([field, , spellings]) => field === name || spellings.includes(name))?.[0];
};

/** Guesses the field of each column. Of two columns for one field, the field's own name comes first, then the first column. */
export const guessFields = (header) => {
  const guessed = withName(header, withArticle(header, header.map(fieldOf)));
  const isOwn = (index) => normalName(header[index]) === guessed[index];
  return guessed.map((field, index) => {
    if (field === undefined || field === ownField) return field;
    const rivals = guessed.flatMap((other, at) => (other === field ? [at] : []));
    return (rivals.find(isOwn) ?? rivals[0]) === index ? field : undefined;
  });
};

/** Headers of a column with the number of an article or with its name, whichever no other column has. */
const articles = ['article', 'artikel', 'item'];

const withArticle = (header, guessed) =>
  guessed.map((field, index) => {
    if (!articles.includes(normalName(header[index]))) return field;
    const others = guessed.filter((_, at) => at !== index);
    return ['sku', 'name'].find((one) => !others.includes(one));
  });

/** Headers under which suppliers write names. */
const shortDescriptions = ['description', 'beschreibung', 'descripcion', 'designation'];

const withName = (header, guessed) => {
  if (guessed.includes('name')) return guessed;
  const at = header.findIndex((name) => shortDescriptions.includes(normalName(name)));
  return guessed.map((field, index) => (index === at ? 'name' : field));
};

/** @returns what the column for the stock does; undefined when its header leaves open whether it replaces or is added */
export const stockUseOf = (header, chosen) => {
  const name = normalName(header[chosen.indexOf('stock')] ?? '');
  return ['stock', ...stockCounts].includes(name) ? 'replace' : undefined;
};

/** @returns whether a column is taken as the name although its header says it is a description */
export const isNameByDescription = (header) => shortDescriptions.includes(normalName(header));

/** The name under which an own field is kept. */
export const ownNameOf = (header) => {
  const name = header.trim();
  return (name.startsWith(prefix) ? name.slice(prefix.length) : name)
    .replaceAll(/[^A-Za-z0-9_.-]+/g, '_')
    .slice(0, 40);
};
