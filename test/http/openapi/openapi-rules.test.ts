import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import spectral, { type RulesetDefinition } from '@stoplight/spectral-core';
import owasp from '@stoplight/spectral-owasp-ruleset';
import rulesets from '@stoplight/spectral-rulesets';
import { expect } from 'chai';
import { mapValues } from '#adapters/http/openapi/schemas.ts';
import type { Json } from '../support/client.ts';
import { served } from '../support/described.ts';

const rules = join(import.meta.dirname, 'rules');

// The types of these packages do not match each other's versions and module systems.
const asRuleset = (rules: object) => rules as unknown as RulesetDefinition & { readonly rules: object };

/** Rules of bounds hold what is received. What is sent has none, because a later release may raise them. */
const boundRules = Object.keys(asRuleset(owasp).rules).filter((rule) =>
  /^owasp:api4:2023-(array|string|integer)-(limit|restricted)/.test(rule),
);
const allOf = (rules: readonly string[], set: 'off' | true) =>
  Object.fromEntries(rules.map((rule) => [rule, set]));

const exceptBounds = asRuleset({
  extends: [rulesets.oas, [owasp, 'all']],
  rules: allOf(boundRules, 'off'),
});
const boundsOnly = asRuleset({ extends: [[owasp, 'off']], rules: allOf(boundRules, true) });

/** A violation of a rule, with its place. A parameter is identified by its name, not its index. */
interface RuleViolation {
  readonly rule: string;
  readonly where: string;
  readonly message: string;
}

interface Exception {
  readonly rule: string;
  readonly where: string;
  readonly reason: string;
}

const exceptions: readonly Exception[] = JSON.parse(readFileSync(join(rules, 'exceptions.json'), 'utf8'));

const isExcepted = ({ rule, where }: RuleViolation, exception: Exception): boolean =>
  rule === exception.rule && new RegExp(exception.where).test(where);

/** What a document says of requests, without responses and the components of these. */
const receivedOf = (document: Json): Json => {
  const paths = mapValues<Json, Json>(document.paths, (path) =>
    mapValues<Json, Json>(path, (operation) =>
      operation.responses === undefined ? operation : { ...operation, responses: {} },
    ),
  );
  const found = new Set<string>();
  const walk = (node: Json): void => {
    if (typeof node !== 'object' || node === null) return;
    const [, kind = '', name = ''] = /^#\/components\/(\w+)\/(.+)$/.exec(node.$ref ?? '') ?? [];
    if (name !== '' && !found.has(`${kind}/${name}`)) {
      found.add(`${kind}/${name}`);
      walk(document.components[kind][name]);
    }
    for (const inner of Object.values(node)) walk(inner as Json);
  };
  walk(paths);
  const components = mapValues<Json, Json>(document.components, (kind, name) =>
    Object.fromEntries(Object.entries(kind).filter(([one]) => found.has(`${name}/${one}`))),
  );
  return { ...document, paths, components, webhooks: {} };
};

describe('The OpenAPI document, by public rule sets,', () => {
  describe('of Spectral and OWASP', () => {
    let objections: readonly RuleViolation[];
    const lint = async (rules: RulesetDefinition, document: Json): Promise<readonly RuleViolation[]> => {
      const linter = new spectral.Spectral();
      linter.setRuleset(rules);
      const results = await linter.run(JSON.stringify(document));
      return results.map(({ code, path, message }) => ({
        rule: `${code}`,
        where: named(document, path),
        message,
      }));
    };
    const objectionsTo = async (document: Json): Promise<readonly RuleViolation[]> => [
      ...(await lint(exceptBounds, document)),
      ...(await lint(boundsOnly, receivedOf(document))),
    ];

    before(async () => {
      objections = await objectionsTo(served);
    });

    it('has no violation besides the exceptions', () => {
      const others = objections.filter((one) => !exceptions.some((exception) => isExcepted(one, exception)));
      expect(others).to.deep.equal([]);
    });

    for (const exception of exceptions) {
      it(`needs the exception from ${exception.rule} at ${exception.where}`, () => {
        expect(exception.reason).to.be.a('string').and.have.length.greaterThan(20);
        expect(objections.some((one) => isExcepted(one, exception))).to.equal(true);
      });
    }

    it('reports a violation, and a request without bounds', async () => {
      const { security: _, ...open } = structuredClone(served);
      // One path alone, which is read in less time.
      const { get, post, ...others } = open.paths['/v1/products'];
      const body = { type: 'object', properties: { name: { type: 'string' } } };
      post.requestBody.content['application/json'].schema = body;
      open.paths = { '/v1/products': { ...others, get: { ...get, security: [] }, post } };
      const found = (await objectionsTo(open)).map(({ rule, where }) => `${rule} ${where}`);
      expect(found.some((one) => one.startsWith('owasp:api2:2023-read-restricted'))).to.equal(true);
      expect(found).to.include(
        'owasp:api4:2023-string-limit paths//v1/products/post/requestBody/content/application/json/schema/properties/name',
      );
    });
  });
});

/** `paths//v1/products/get/parameters/limit/schema` */
const named = (document: Json, path: readonly (string | number)[]): string => {
  let node: Json = document;
  return path
    .map((step, place) => {
      node = node?.[step];
      return path[place - 1] === 'parameters' && node?.name ? node.name : step;
    })
    .join('/');
};
