import { expect } from 'chai';
import * as fc from 'fast-check';
import { sleep } from '#adapters/support/time.ts';
import type { Repositories } from '#application/ports/repositories.ts';
import { Product } from '#domain/product.ts';
import { newId } from '../support/machine.ts';
import { existing, mocha, type Suite, storeFor } from './harness.ts';
import { assertRandomly } from './random.ts';
import { aProduct, later } from './samples.ts';

const changes = ['add', 'save', 'remove'] as const;
const reads = ['find', 'lock', 'page', 'findBy', 'firstBy', 'lockBy', 'findByIds', 'lockByIds'] as const;

const operation = fc.record({ kind: fc.constantFrom(...changes, ...reads, 'other', 'wait'), one: fc.nat(2) });

type Operation = typeof operation extends fc.Arbitrary<infer T> ? T : never;

/** Each change of a product directly before each read of it, and between two of them: random operations may lack one. */
const neighbours = changes.flatMap((change) =>
  reads.flatMap((read): [Operation[]][] => {
    const kinds = change === 'add' ? [] : (['add'] as const);
    const examples = [
      [...kinds, change, read],
      [...kinds, read, change, read],
    ];
    return examples.map((example) => [example.map((kind) => ({ kind, one: 0 }))]);
  }),
);

/** Each read of a unit of work sees the changes before it, and none behind it, although it awaits none of them. */
export const describeSideBySide: Suite = (adapter, open, runner = mocha()) =>
  runner.describe(`${adapter}: the operations of a unit of work that are issued side by side`, () => {
    const store = storeFor(open, runner);

    /** Issues the operations, and returns what was read and what should have been. */
    const issue = async (
      { products, users }: Repositories,
      all: readonly Product[],
      operations: readonly Operation[],
    ) => {
      const skus = all.map(({ sku }) => sku ?? '');
      const ids = all.map(({ id }) => id);
      const expected = new Map<string, Product>();
      const listed = () => all.flatMap(({ id }) => expected.get(id) ?? []);
      const results: Promise<unknown>[] = [];
      const outcomes: unknown[] = [];
      const issued = (result: Promise<unknown>, outcome?: unknown) => {
        // It may be rejected while this still waits, and is awaited at the end.
        result.catch(() => undefined);
        results.push(result);
        outcomes.push(outcome);
      };
      for (const { kind, one } of operations) {
        const product = existing(all[one]);
        const { id } = product;
        const now = expected.get(id);
        if (kind === 'wait') await (one === 0 ? undefined : sleep(one - 1));
        if (kind === 'add' && now === undefined) {
          expected.set(id, product);
          issued(products.add(product));
        }
        if (kind === 'save' && now !== undefined) {
          const changed = Product.change(now, { name: `Tea ${results.length}` }, later(1));
          expected.set(id, changed);
          issued(products.save(changed));
        }
        if (kind === 'remove') {
          expected.delete(id);
          issued(products.remove(id));
        }
        if (kind === 'find') issued(products.find(id), now);
        if (kind === 'lock') issued(products.lock(id), now);
        if (kind === 'page') issued(products.page({ sku: existing(skus[one]) }, { limit: 2 }), pageOf(now));
        if (kind === 'findBy') issued(products.findBy('sku', skus), listed());
        if (kind === 'firstBy') issued(products.firstBy('sku', skus, 1), listed());
        if (kind === 'lockBy') issued(products.lockBy('sku', skus), listed());
        if (kind === 'findByIds') issued(products.findBy('id', ids), listed());
        if (kind === 'lockByIds') issued(products.lockBy('id', ids), listed());
        if (kind === 'other') issued(users.find(newId()));
      }
      return { read: await Promise.all(results), outcomes, left: listed(), skus };
    };

    runner.it('see each other in the order of the calls', () =>
      assertRandomly(
        fc.asyncProperty(fc.array(operation, { maxLength: 12 }), async (operations) => {
          const all = Array.from({ length: 3 }, () => aProduct({ sku: newId() }));
          const work = (repositories: Repositories) => issue(repositories, all, operations);
          const { read, outcomes, left, skus } = await store.unitOfWork.run(work);
          expect(read).to.deep.equal(outcomes);
          const kept = await store.unitOfWork.read(({ products }) => products.findBy('sku', skus));
          expect(kept).to.deep.equal(left);
        }),
        200,
        neighbours,
      ),
    );
  });

const pageOf = (product: Product | undefined) => ({
  rows: product === undefined ? [] : [product],
  hasMore: false,
});
