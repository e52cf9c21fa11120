/** A column of a file of products: one field of a product, or one part of its price. */
interface Column {
  /** As an export names it, and `POST /products` names the field. */
  readonly name: string;
  /** For people who choose it. */
  readonly label: string;
  /** How spreadsheets and other shops name it, as `normalName` returns it. */
  readonly spellings: readonly string[];
  /** Whether an export leaves it out, because another column has the same. */
  readonly isInputOnly?: boolean;
}

/** Headers that can only mean how many there are, unlike a quantity, which may also be what arrived. */
export const stockCounts: readonly string[] = [
  ...['stock', 'inventory', 'inventory_quantity', 'variant_inventory_qty', 'stock_quantity', 'in_stock'],
  ...['on_hand', 'bestand', 'lagerbestand', 'existencias'],
];

/** All columns, in the order of an export. */
export const columns: readonly Column[] = [
  {
    name: 'sku',
    label: 'Article number (SKU)',
    spellings: [
      ...['variant_sku', 'article', 'article_number', 'article_no', 'article_nr', 'article_id', 'art_no'],
      ...['artikelnummer', 'artikelnr', 'artikel_nr', 'art_nr', 'artnr', 'numero_d_article'],
      ...['item', 'item_number', 'item_no', 'item_nr', 'product_code', 'code', 'reference', 'ref'],
    ],
  },
  {
    name: 'name',
    label: 'Name',
    spellings: [
      ...['title', 'product', 'product_name', 'titel', 'bezeichnung', 'artikel', 'produkt', 'nom', 'nombre'],
    ],
  },
  {
    name: 'price',
    label: 'Price',
    spellings: [
      ...['regular_price', 'variant_price', 'unit_price', 'preis', 'verkaufspreis', 'vk', 'prix', 'precio'],
    ],
    isInputOnly: true,
  },
  { name: 'price_amount', label: 'Price in cents', spellings: [] },
  {
    name: 'price_currency',
    label: 'Currency',
    spellings: ['currency', 'wahrung', 'waehrung', 'devise', 'moneda'],
  },
  {
    name: 'description',
    label: 'Description',
    spellings: ['body_html', 'long_description', 'beschreibung', 'descripcion'],
  },
  { name: 'status', label: 'Status', spellings: ['published', 'published_on_online_store', 'state'] },
  {
    name: 'stock',
    label: 'Stock',
    spellings: [...stockCounts, ...['quantity', 'qty', 'menge', 'anzahl', 'stuck', 'quantite', 'cantidad']],
  },
  // Under its own name alone, because it limits what customers can order.
  { name: 'quantity_step', label: 'Sold in steps of', spellings: [] },
  {
    name: 'image_urls',
    label: 'Images',
    spellings: ['images', 'image', 'image_url', 'image_src', 'product_image_url', 'bild', 'bilder'],
  },
  { name: 'tags', label: 'Tags', spellings: ['tag', 'labels', 'keywords', 'schlagworte', 'schlagworter'] },
  {
    name: 'tax_rate',
    label: 'Tax in percent',
    spellings: ['tax', 'vat', 'vat_rate', 'mwst', 'ust', 'steuer', 'steuersatz', 'tva', 'iva'],
  },
  { name: 'metadata', label: 'Own fields (JSON)', spellings: [] },
];

/** The columns of an export. */
export const exportColumns: readonly string[] = columns
  .filter(({ isInputOnly = false }) => !isInputOnly)
  .map(({ name }) => name);

/** Begins the name of a column with one text of the metadata: `metadata.colour`. */
export const metadataPrefix = 'metadata.';

const metadataPattern = /^[A-Za-z0-9_.-]{1,40}$/;

/** Names that a program may mistake for members of its own objects. */
const reservedNames = ['__proto__', 'constructor', 'prototype'];

/** Whether a column such as `metadata.colour` holds one text, under a name that can be stored. */
const isMetadataColumn = (column: string): boolean => {
  const name = column.slice(metadataPrefix.length);
  return column.startsWith(metadataPrefix) && metadataPattern.test(name) && !reservedNames.includes(name);
};

/** The column that keeps the texts of any other column as metadata: `Shelf no.` is kept as `metadata.Shelf_no.`. */
export const metadataColumn = (header: string): string => {
  const own = header.trim().replace(/^metadata\./i, '');
  return metadataPrefix + own.replaceAll(/[^A-Za-z0-9_.-]+/g, '_').slice(0, 40);
};

/** @returns the column of this name, for which `currency` is short; undefined when rows are not read by it */
export const columnNamed = (name: string): string | undefined => {
  const whole = name === 'currency' ? 'price_currency' : name;
  return columns.some((column) => column.name === whole) || isMetadataColumn(whole) ? whole : undefined;
};

/**
 * `Preis (brutto)` and `preis_brutto` are one name, `Währung` and `wahrung` another. Names of metadata differ by their capitals.
 * A name of signs alone stays.
 */
export const normalName = (header: string): string => {
  const [, ofMetadata] = /^metadata\.(.*)$/i.exec(header.trim()) ?? [];
  if (ofMetadata !== undefined) return metadataPrefix + ofMetadata;
  const name = header
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll(/[^\p{L}\p{N}]+/gu, '_')
    .replaceAll(/^_|_$/g, '');
  return name === '' ? header.trim() : name;
};
