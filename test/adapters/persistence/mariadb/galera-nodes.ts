import { openMariaDb } from '#adapters/persistence/mariadb/open.ts';
import type { Store } from '#adapters/persistence/store.ts';
import { Product } from '#domain/product.ts';
import { Quantity } from '#domain/quantity.ts';
import { existing } from '#test/contracts/harness.ts';
import { aProduct, later } from '#test/contracts/samples.ts';
import { GaleraCluster, galeraIsMissing } from '#test/support/galera.ts';

/** A Galera cluster of three nodes, with a store on each. */
export interface Nodes {
  readonly cluster: GaleraCluster;
  readonly stores: readonly Store[];
  /** Creates a database. @returns its name */
  freshName(): Promise<string>;
  /** The store on a node, counted around. */
  node(index: number): Store;
  /** Adds a product without stock on the first node. */
  add(): Promise<Product>;
  /** Adds one to the stock of a product. */
  countUp(on: Store, id: Product['id']): Promise<void>;
}

/** Describes a cluster that starts before the tests; they are skipped, with the reason, where Galera is not installed. */
export const describeGalera = (title: string, tests: (nodes: Nodes) => void): void => {
  const describeThere = galeraIsMissing === undefined ? describe : describe.skip;
  describeThere(`${title}${galeraIsMissing === undefined ? '' : `: ${galeraIsMissing}`}`, function () {
    this.timeout(240_000);
    let cluster: GaleraCluster;
    let stores: readonly Store[];
    let databases = 0;

    const freshName = async (): Promise<string> => {
      databases += 1;
      const name = `portico_${databases}`;
      await cluster.createDatabase(name);
      return name;
    };

    before(async () => {
      cluster = await GaleraCluster.start();
      const name = await freshName();
      stores = await Promise.all([0, 1, 2].map((index) => openMariaDb({ url: cluster.url(index, name) })));
    });
    after(async () => {
      await Promise.all((stores ?? []).map((store) => store.close()));
      await cluster?.remove();
    });

    const node = (index: number): Store => existing(stores[index % 3]);
    tests({
      get cluster() {
        return cluster;
      },
      get stores() {
        return stores;
      },
      freshName,
      node,
      add: async () => {
        const product = aProduct({ stock: Quantity.zero });
        await node(0).unitOfWork.run(({ products }) => products.add(product));
        return product;
      },
      countUp: (on, id) =>
        on.unitOfWork.run(async ({ products }) => {
          const held = existing(await products.lock(id));
          await products.save(Product.release(held, Quantity.of(1), later(1)));
        }),
    });
  });
};
