import { AssertionError, expect } from 'chai';
import { forEachCase } from '../../support/for-each-case.ts';
import { type Fault, RouteShop } from './route-shop.ts';
import { everyRule } from './rules/every-rule.ts';
import type { Rule } from './rules/rule.ts';
import { wrongRequests } from './wrong/requests.ts';
import { wrongResponses } from './wrong/responses.ts';
import { withShelves } from './wrong/shelves.ts';

const wrongRoutes = [...wrongRequests, ...wrongResponses];

const ruleOf = (wanted: string): Rule => {
  const rule = everyRule.find(({ title }) => title === wanted);
  if (rule === undefined) throw new Error(`There is no rule “${wanted}”.`);
  return rule;
};

const asItIs: Fault = (send) => send;

const failureOf = (check: Promise<void>): Promise<unknown> =>
  check.then(
    () => undefined,
    (error: unknown) => error,
  );

describe('The rules of every route', () => {
  const shop = new RouteShop(withShelves);
  before(() => shop.open());
  after(() => shop.close());

  it('cover a route by its declaration alone', async () => {
    const own = shop.declared.filter(({ path }) => path.startsWith('/v1/shelves'));
    expect(own).to.have.lengthOf(5);
    for (const { title, isFor, check } of everyRule)
      for (const operation of own.filter(isFor)) {
        const failure = await failureOf(check(shop, operation));
        expect(failure, `${operation.target} ${title}`).to.equal(undefined);
      }
  });

  it('reject each wrong route by the rule that it breaks', () =>
    forEachCase(wrongRoutes, async ([, target, title, fault = asItIs]) => {
      const operation = shop.samples.at(target);
      const { isFor, check } = ruleOf(title);
      expect(isFor(operation)).to.equal(true);
      expect(await failureOf(check(shop.withFault(fault), operation))).to.be.instanceOf(AssertionError);
      if (target.includes('/lax-shelves')) return;
      expect(await failureOf(check(shop, operation)), 'without the fault').to.equal(undefined);
    }));

  it('are each broken by a wrong route', () => {
    const broken = wrongRoutes.map(([, , rule]) => rule);
    expect(everyRule.map(({ title }) => title)).to.have.members(broken);
  });

  it('say what to add where the declarations do not say how a resource comes into being', async () => {
    const { check } = ruleOf('finds a resource by its id in upper case too');
    const failure = await failureOf(check(shop, shop.samples.at('GET /v1/relics/{id}')));
    expect(`${failure}`).to.include('prepare it in test/http/routes/preparations.ts');
  });
});
