import { expect } from 'chai';
import { DomainError } from '#domain/errors.ts';
import { Metadata } from '#domain/metadata.ts';

describe('Metadata', () => {
  it('are merged name by name, where null removes a name', () => {
    const merged = Metadata.merge({ colour: 'red', size: 'M' }, { size: null, fit: 'slim', none: null });
    expect(merged).to.deep.equal({ colour: 'red', fit: 'slim' });
  });

  it('have names of 1 to 40 plain characters', () => {
    for (const name of ['a', 'A.b-c_9', '0', 'x'.repeat(40), 'toString'])
      expect(Metadata.name.violation(name), name).to.equal(undefined);
    for (const name of ['', ' ', 'ä', 'a b', 'x'.repeat(41), '__proto__', 'constructor', 'prototype', 'a\n'])
      expect(Metadata.name.violation(name), name).to.match(/^must have a name of 1 to 40/);
  });

  it('have values of up to 500 characters, which may be empty', () => {
    expect(Metadata.value.violation('')).to.equal(undefined);
    expect(Metadata.value.violation('😀'.repeat(500))).to.equal(undefined);
    expect(Metadata.value.violation('😀'.repeat(501))).to.equal('must have at most 500 characters');
  });

  it('have up to 50 names and 8 KiB of JSON in UTF-8', () => {
    const names = (count: number, value: string) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`n${index}`, value]));
    expect(Metadata.whole.violation(names(50, ''))).to.equal(undefined);
    expect(Metadata.whole.violation(names(51, ''))).to.equal('must have at most 50 names');
    // {"a":"..."} is 8 characters around the value.
    expect(Metadata.whole.violation({ a: 'x'.repeat(8192 - 8) })).to.equal(undefined);
    expect(Metadata.whole.violation({ a: 'x'.repeat(8192 - 7) })).to.match(/^must have at most 8192 bytes/);
    expect(Metadata.whole.violation({ a: 'é'.repeat(4096) })).to.match(/^must have at most 8192 bytes/);
  });

  it('are checked as a whole after the merge', () => {
    const full = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`n${index}`, '']));
    expect(() => Metadata.merge(full, { more: '' }))
      .to.throw(DomainError)
      .with.property('kind', 'validation');
    expect(Object.keys(Metadata.merge(full, { more: '', n0: null }))).to.have.lengthOf(50);
    expect(() => Metadata.merge({}, { 'a b': '' })).to.throw(DomainError);
    expect(() => Metadata.merge({}, { a: 'x'.repeat(501) })).to.throw(DomainError);
  });

  it('never touch the prototype of an object', () => {
    const patch = JSON.parse('{"__proto__": "x"}');
    expect(() => Metadata.merge({}, patch)).to.throw(DomainError);
    expect(Metadata.merge({ toString: 'a' }, { hasOwnProperty: 'b' })).to.deep.equal({
      ...{ toString: 'a', hasOwnProperty: 'b' },
    });
  });
});
