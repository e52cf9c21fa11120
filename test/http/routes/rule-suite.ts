import { forEachCase } from '../../support/for-each-case.ts';
import { RouteShop } from './route-shop.ts';
import type { Rule } from './rules/rule.ts';

/** Tests each rule on each route of the API that it is for. A route is covered once it is declared. */
export const describeRules = (title: string, rules: readonly Rule[]): void => {
  describe(title, () => {
    const shop = new RouteShop();
    before(() => shop.open());
    after(() => shop.close());

    for (const { title: rule, isFor, check } of rules) {
      it(rule, () =>
        forEachCase(
          shop.declared.filter(isFor).map(({ target }) => target),
          (target) => check(shop, shop.samples.at(target)),
        ),
      );
    }
  });
};
