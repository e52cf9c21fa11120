import { expect } from 'chai';
import { sources } from './imports.ts';

/** Before you raise this, merge a file of a few lines into the only one that imports it. */
const maxFiles = 750;

describe('The size of the project', () => {
  it(`is at most ${maxFiles} production files`, () => {
    expect(sources().length).to.be.within(200, maxFiles);
  });
});
