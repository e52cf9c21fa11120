import { expect } from 'chai';
import { Instant } from '#domain/instant.ts';
import { newResource, updated } from '#domain/resource.ts';
import { aUser, later, noon } from '#test/contracts/samples.ts';

describe('A resource', () => {
  const { id } = aUser();

  it('starts at version 1, with equal times', () => {
    expect(newResource(id, noon)).to.deep.equal({ id, version: 1, createdAt: noon, updatedAt: noon });
  });

  it('increments its version with each change, and records the time', () => {
    const once = updated(newResource(id, noon), {}, later(5));
    expect(updated(once, {}, later(9))).to.deep.equal({
      id,
      version: 3,
      createdAt: noon,
      updatedAt: later(9),
    });
  });

  it('never decreases `updatedAt`, although the clock is set back', () => {
    const once = updated(newResource(id, noon), {}, later(5));
    expect(updated(once, {}, Instant.plus(noon, -1))).to.include({ version: 3, updatedAt: later(5) });
  });

  it('does not modify its previous version', () => {
    const before = newResource(id, noon);
    updated(before, {}, later(5));
    expect(before).to.deep.equal({ id, version: 1, createdAt: noon, updatedAt: noon });
  });
});
