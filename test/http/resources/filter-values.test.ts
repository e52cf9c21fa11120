import { expect } from 'chai';
import { listQueryParser } from '#adapters/http/routing/list-query.ts';
import { boolean, integer, text } from '#adapters/wire/codecs.ts';
import * as rules from '#domain/rule.ts';
import { text as textRule } from '#domain/text.ts';

const parse = listQueryParser({
  isActive: boolean,
  rating: integer(rules.integer(1, 5)),
  code: text(textRule(1, 10)),
});
const filterOf = (query: string): unknown => parse('/v1/coupons', query).filter;

describe('A filter', () => {
  it('has a boolean, a number or a text in a query string', () => {
    expect(filterOf('is_active=true&rating=5&code=5')).to.deep.equal({
      isActive: true,
      rating: 5,
      code: '5',
    });
    expect(filterOf('is_active=false&code=true')).to.deep.equal({ isActive: false, code: 'true' });
  });

  for (const query of [
    'is_active=1',
    'is_active=TRUE',
    'is_active=',
    'rating=05',
    'rating=6',
    'rating=1e0',
    'rating=',
  ]) {
    it(`is rejected as ${query}`, () => {
      expect(() => filterOf(query))
        .to.throw()
        .with.property('kind', 'invalid-fields');
    });
  }
});
