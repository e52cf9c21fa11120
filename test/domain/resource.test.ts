import { expect } from 'chai';
import { Instant } from '#domain/instant.ts';
import { newResource, updated } from '#domain/resource.ts';
import { aUser, later, noon } from '#test/contracts/samples.ts';

describe('A resource', () => {
  const { id } = aUser();

  it('is born at version 1, changed last when it was made', () => {
    expect(newResource(id, noon)).to.deep.equal({ id, version: 1, createdAt: noon, updatedAt: noon });
  });

  it('is one version further with each change, and remembers when', () => {
    const once = updated(newResource(id, noon), {}, later(5));
    expect(updated(once, {}, later(9))).to.deep.equal({
      id,
      version: 3,
      createdAt: noon,
      updatedAt: later(9),
    });
  });

  it('never goes back in time, though the clock does', () => {
    const once = updated(newResource(id, noon), {}, later(5));
    expect(updated(once, {}, Instant.plus(noon, -1))).to.include({ version: 3, updatedAt: later(5) });
  });

  it('leaves the one that it was before untouched', () => {
    const before = newResource(id, noon);
    updated(before, {}, later(5));
    expect(before).to.deep.equal({ id, version: 1, createdAt: noon, updatedAt: noon });
  });
});
