import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import spectral, { type RulesetDefinition } from '@stoplight/spectral-core';
import owasp from '@stoplight/spectral-owasp-ruleset';
import rulesets from '@stoplight/spectral-rulesets';
import { expect } from 'chai';
import type { Json } from '../support/client.ts';
import { closed, served } from '../support/described.ts';

const rules = join(import.meta.dirname, 'rules');

// The types of these packages do not match each other's versions and module systems.
const ruleset = { extends: [rulesets.oas, [owasp, 'all']] } as unknown as RulesetDefinition;

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

describe('The OpenAPI document, by public rule sets,', () => {
  describe('of Spectral and OWASP', () => {
    let objections: readonly RuleViolation[];
    const objectionsTo = async (document: Json): Promise<readonly RuleViolation[]> => {
      const linter = new spectral.Spectral();
      linter.setRuleset(ruleset);
      const results = await linter.run(JSON.stringify(document));
      return results.map(({ code, path, message }) => ({
        rule: `${code}`,
        where: named(document, path),
        message,
      }));
    };

    before(async () => {
      objections = await objectionsTo(closed);
    });

    it('has no violation besides the exceptions', () => {
      const others = objections.filter((one) => !exceptions.some((exception) => isExcepted(one, exception)));
      expect(others).to.deep.equal([]);
    });

    it('has none as published, but that what is sent has no limits', async () => {
      const found = await objectionsTo(served);
      const others = found
        .filter(({ rule }) => !/^owasp:api4:2023-(array|string|integer)-(limit|restricted)$/.test(rule))
        .filter((one) => !exceptions.some((exception) => isExcepted(one, exception)));
      expect(others).to.deep.equal([]);
    });

    for (const exception of exceptions) {
      it(`needs the exception from ${exception.rule} at ${exception.where}`, () => {
        expect(exception.reason).to.be.a('string').and.have.length.greaterThan(20);
        expect(objections.some((one) => isExcepted(one, exception))).to.equal(true);
      });
    }

    it('reports a violation', async () => {
      const linter = new spectral.Spectral();
      linter.setRuleset(ruleset);
      const { security: _, ...open } = structuredClone(closed);
      // One path alone, which is read in less time.
      const { get, ...others } = open.paths['/v1/products'];
      open.paths = { '/v1/products': { ...others, get: { ...get, security: [] } } };
      const found = (await linter.run(JSON.stringify(open))).map(({ code }) => `${code}`);
      expect(found).to.include('owasp:api2:2023-read-restricted');
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
