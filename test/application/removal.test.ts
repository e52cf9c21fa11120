import { expect } from 'chai';
import type { Command } from '#application/use-case.ts';
import { DomainError } from '#domain/errors.ts';
import { neededBy, partOf, readerOf, references, repositoryOf } from '../contracts/every-collection.ts';
import { aFullPurchase } from '../contracts/samples.ts';
import { everyUseCase } from '../support/every-use-case.ts';
import { aWorld } from './world.ts';

type Removal = Command<object, unknown>;

/** The use case that removes a resource, by its collection. */
const removals = new Map(
  Object.entries<Readonly<Record<string, unknown>>>(everyUseCase).flatMap(([name, { remove }]) =>
    typeof remove === 'function' ? [[name, remove as unknown as Removal] as const] : [],
  ),
);

describe('The removal of a resource', () => {
  for (const { from, field, to } of references) {
    const remove = removals.get(to);
    if (remove === undefined) continue;

    it(`of ${to} leaves no ${from} that refer to it by ${field}, or the client learns why it is rejected`, async () => {
      const { unitOfWork, admin, run } = await aWorld();
      const purchase = aFullPurchase();
      await unitOfWork.run(async (all) => {
        for (const name of neededBy(from)) await repositoryOf(all, name).add(partOf(purchase, name));
      });
      const input = { ...partOf(purchase, to), expectedVersions: undefined };
      const rejection = await run(remove, admin, input).then(
        () => undefined,
        (error: unknown) => error,
      );
      if (rejection !== undefined) expect(rejection).to.be.instanceOf(DomainError);
      else {
        const left = await unitOfWork.read((all) => readerOf(all, from).find(partOf(purchase, from).id));
        expect((left as Readonly<Record<string, unknown>> | undefined)?.[field] ?? null).to.equal(null);
      }
    });
  }
});
