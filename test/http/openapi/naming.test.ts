import { expect } from 'chai';
import { versions } from '#adapters/http/versions.ts';
import { everyUseCase } from '../../support/every-use-case.ts';

const verbs = /^(create|add|get|list|update|set|delete|remove|cancel|pay|refund|search|find|do)(-|$)/;

/** The violations of the specification's naming rules (section 1) in a path. */
const faultsOf = (path: string): string[] => {
  const segments = path.split('/').slice(1);
  const collections = segments.filter((segment) => !segment.startsWith('{'));
  return [
    ...(path.endsWith('/') ? ['ends with a slash'] : []),
    ...(collections.length > 2 ? ['is nested deeper than two levels'] : []),
    ...collections.flatMap((name) => [
      ...(/^[a-z]+(-[a-z]+)*$/.test(name) ? [] : [`${name} is not in lower case with hyphens`]),
      ...(name.endsWith('s') ? [] : [`${name} is no plural`]),
      ...(verbs.test(name) ? [`${name} is a verb`] : []),
    ]),
    ...segments
      .filter((segment, place) => segment.startsWith('{') === (place % 2 === 0))
      .map((s) => `${s} is misplaced`),
  ];
};

describe('The paths', () => {
  for (const [version, routes] of Object.entries(versions)) {
    for (const { method, path } of routes(everyUseCase)) {
      it(`${method} /${version}${path} follows the naming rules of the specification`, () => {
        expect(faultsOf(path)).to.deep.equal([]);
      });
    }
  }

  for (const path of [
    '/orders/',
    '/Orders',
    '/order_items',
    '/order',
    '/create-orders',
    '/a-s/{id}/b-s/{id}/c-s',
    '/orders/items',
  ]) {
    it(`reject ${path}`, () => {
      expect(faultsOf(path)).to.not.deep.equal([]);
    });
  }

  it('respond 201 to a creation, 204 to a deletion, and 200 otherwise', () => {
    for (const {
      method,
      path,
      responder: { status },
    } of versions.v1(everyUseCase)) {
      expect(status, `${method} ${path}`).to.equal(method === 'POST' ? 201 : method === 'DELETE' ? 204 : 200);
    }
  });

  it('require an idempotency key for payments, captures and refunds, and accept one for every other write', () => {
    const keys = versions
      .v1(everyUseCase)
      .map(({ method, path, idempotencyKey }) => [`${method} ${path}`, idempotencyKey] as const);
    for (const [target, key] of keys) {
      const expected = /^POST \/(payments|captures|refunds)$/.test(target)
        ? 'required'
        : /^(POST|PUT|PATCH)/.test(target)
          ? 'optional'
          : 'ignored';
      expect(key, target).to.equal(expected);
    }
  });
});
