/** What is asked for in the scenarios, as clients learn of it. */
export interface Catalogue {
  readonly ids: readonly string[];
  /** Of which one can order as much as one likes. */
  readonly uncounted: readonly string[];
  /** Each opens the page behind it, from the beginning of the list to its end. */
  readonly cursors: readonly string[];
}

/** A product as the API shows it, as far as it matters here. */
export interface Shown {
  readonly id: string;
  readonly stock: number | null;
  readonly status: string;
  readonly price: { readonly amount: number; readonly currency: string };
}

interface Listed {
  readonly data: readonly Shown[];
  readonly pagination: { readonly next_cursor: string | null };
}

interface Walk {
  /** Is shown each product on the way. */
  readonly meet?: (product: Shown) => void;
  /** How many products a page has, at the end of which there is a cursor. */
  readonly step?: number;
}

/** Walks the list of products to its end. */
export const catalogueOf = async (
  port: number,
  token: string,
  { meet = () => undefined, step = 100 }: Walk = {},
): Promise<Catalogue> => {
  const [ids, uncounted, cursors]: [string[], string[], string[]] = [[], [], []];
  let cursor: string | null = '';
  while (cursor !== null) {
    const place: string = cursor === '' ? '' : `&cursor=${cursor}`;
    const answer = await fetch(`http://127.0.0.1:${port}/v1/products?limit=${step}${place}`, {
      headers: { Authorization: `Bearer ${token}` },
    });
    const { data, pagination } = (await answer.json()) as Listed;
    for (const product of data) {
      const { id, stock, status } = product;
      meet(product);
      ids.push(id);
      if (stock === null && status === 'active') uncounted.push(id);
    }
    cursor = pagination.next_cursor;
    if (cursor !== null) cursors.push(cursor);
  }
  return { ids, uncounted, cursors };
};
