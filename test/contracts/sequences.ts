import { expect } from 'chai';
import * as fc from 'fast-check';
import { openMemory } from '#adapters/persistence/memory/open.ts';
import { ApplicationError, ConstraintViolation } from '#application/errors.ts';
import { collectionNames } from '#application/ports/repositories.ts';
import type { UnitOfWork } from '#application/ports/unit-of-work.ts';
import { DomainError } from '#domain/errors.ts';
import { readerOf } from './every-collection.ts';
import { mocha, type Suite, storeFor } from './harness.ts';
import { assertRandomly } from './random.ts';
import { type Choice, count, makeWorld, operations, stateOf, type World } from './sequence-operations.ts';

/** The reference or the store, with the resources that a sequence is about. */
interface Model {
  readonly unitOfWork: UnitOfWork;
  readonly world: World;
}

const expectedErrors = [ConstraintViolation, DomainError, ApplicationError, RangeError];

/** A unit of work of a sequence, as a command of the model-based test. */
class UnitCommand implements fc.AsyncCommand<Model, Model> {
  readonly #choices: readonly Choice[];
  /** Whether it changes its mind at the end. */
  readonly #fails: boolean;

  constructor(choices: readonly Choice[], fails: boolean) {
    this.#choices = choices;
    this.#fails = fails;
  }

  check(): boolean {
    return true;
  }

  async run(model: Model, store: Model): Promise<void> {
    const [expected, outcome] = await Promise.all([this.#outcome(model), this.#outcome(store)]);
    expect(outcome).to.deep.equal(expected);
  }

  /**
   * @returns what the unit of work has read when it commits. Of several errors a store may throw any, and it may find a
   *   violation only at the end, so a rejection says no more than that.
   */
  async #outcome({ unitOfWork, world }: Model): Promise<unknown> {
    try {
      return await unitOfWork.run(async (repositories) => {
        const seen: unknown[] = [];
        for (const { name, ...choice } of this.#choices)
          seen.push(await operations[name](repositories, world, choice));
        if (this.#fails) throw new RangeError('changed my mind');
        return seen;
      });
    } catch (error) {
      if (expectedErrors.some((kind) => error instanceof kind)) return 'rejected';
      throw error;
    }
  }

  toString(): string {
    const calls = this.#choices.map(
      ({ name, collection, one, other }) => `${collection}.${name}(${one}, ${other})`,
    );
    return `{ ${calls.join('; ')}${this.#fails ? '; fail' : ''} }`;
  }
}

const choice: fc.Arbitrary<Choice> = fc.record({
  name: fc.constantFrom(...(Object.keys(operations) as (keyof typeof operations)[])),
  collection: fc.constantFrom(...collectionNames),
  one: fc.nat(count - 1),
  other: fc.nat(count - 1),
});

const command = fc
  .tuple(fc.array(choice, { minLength: 1, maxLength: 6 }), fc.nat(4))
  .map(([choices, number]) => new UnitCommand(choices, number === 4));

/** So that most units of work find something to change. */
const beginning = new UnitCommand(
  [0, 1].flatMap((one) => [
    ...collectionNames.map((collection) => ({ name: 'add' as const, collection, one, other: one })),
    { name: 'addKey', collection: 'users', one, other: 1 },
  ]),
  false,
);

/** Whatever a sequence of units of work does, it does over every store what it does over the reference. */
export const describeSequences: Suite = (adapter, open, runner = mocha()) =>
  runner.describe(`${adapter}: sequences of units of work`, () => {
    const { it } = runner;
    const store = storeFor(open, runner);

    const readState = ({ unitOfWork, world }: Model) =>
      unitOfWork.read((all) =>
        stateOf(
          world,
          (collection, id) => readerOf(all, collection).find(id),
          ({ userId, key }) => all.idempotencyKeys.find(userId, key),
        ),
      );

    it('read, reject and leave behind what the reference does', () =>
      assertRandomly(
        fc.asyncProperty(fc.commands([command], { maxCommands: 10 }), async (commands) => {
          const world = makeWorld();
          const model: Model = { unitOfWork: (await openMemory()).unitOfWork, world };
          const real: Model = { unitOfWork: store.unitOfWork, world };
          await beginning.run(model, real);
          await fc.asyncModelRun(() => ({ model, real }), commands);
          const expected = await readState(model);
          expect(await readState(real)).to.deep.equal(expected);
          const { raw } = store;
          if (raw === undefined) return;
          const stored = await stateOf(
            world,
            (collection, id) => raw.find(collection, id),
            ({ userId, key }) => raw.findRecord(userId, key),
          );
          expect(stored).to.deep.equal(expected);
        }),
        30,
      ));
  });
