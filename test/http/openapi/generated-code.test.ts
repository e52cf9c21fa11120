import { expect } from 'chai';
import { text } from '#adapters/wire/codecs.ts';
import type { Json } from '../support/client.ts';
import { document, served } from '../support/described.ts';
import { schemaError } from '../support/schema-error.ts';

/** What generators copy into code, some without an escape. `test/generators` runs six of them. */
describe('The OpenAPI document, as generators copy it into code,', () => {
  it('has no text that ends a comment or a string in generated code', () => {
    const ends = (key: string, text: string): boolean =>
      text.includes('*/') || (key === 'pattern' && text.includes("'"));
    const texts: string[] = [];
    JSON.parse(JSON.stringify(served), (key, value) => {
      if (typeof value === 'string' && ends(key, value)) texts.push(`${key}: ${value}`);
      return value;
    });
    expect(texts).to.deep.equal([]);
  });

  it('escapes apostrophes in patterns, which still match them', () => {
    const { schema } = text({ maxLength: 9, minLength: 0, pattern: /^[a-z']+$/, violation: () => undefined });
    expect(schema.pattern).to.equal('^[a-z\\x27]+$');
    expect(schemaError(schema, "it's")).to.equal(undefined);
    const { email } = document.components.schemas.User.properties;
    expect(schemaError(email, "o'neil@example.com")).to.equal(undefined);
  });

  it('names its components by identifiers, and each error response by one status', () => {
    const { components } = served;
    for (const [kind, named] of Object.entries<Json>(components)) {
      if (kind === 'headers') continue;
      for (const name of Object.keys(named)) expect(name, kind).to.match(/^[A-Za-z][A-Za-z0-9_]*$/);
    }
    expect(components.responses).to.include.keys(
      'BadRequest',
      'RequestTimeout',
      'Unauthorized',
      'NotFoundReplayed',
    );
    const statuses = new Map<string, string>();
    for (const operation of Object.values<Json>(served.paths).flatMap((methods) =>
      Object.values<Json>(methods),
    )) {
      for (const [status, { $ref }] of Object.entries<Json>(operation.responses)) {
        if ($ref === undefined) continue;
        expect(statuses.get($ref) ?? status, $ref).to.equal(status);
        statuses.set($ref, status);
      }
    }
    expect(statuses.size).to.equal(Object.keys(components.responses).length);
  });
});
