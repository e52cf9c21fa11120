import { expect } from 'chai';
import { idGenerator } from '#adapters/system/ids.ts';
import { Instant } from '#domain/instant.ts';
import { Id } from '#domain/resource.ts';
import { later, noon } from '../../contracts/samples.ts';

const hour = 3_600_000;

const timeIn = (id: Id): number => Number.parseInt(Id.toHex(id).slice(0, 12), 16);

describe('New ids', () => {
  it('contain the time of the clock', () => {
    let now = noon;
    const newId = idGenerator(() => Instant.milliseconds(now));
    expect(timeIn(newId())).to.equal(Instant.milliseconds(noon));
    now = later(25 * hour);
    expect(timeIn(newId())).to.equal(Instant.milliseconds(now));
  });

  it('ascend within a millisecond, as time passes, and when the clock is set back', () => {
    let now = noon;
    const newId = idGenerator(() => Instant.milliseconds(now));
    const ids: Id[] = [];
    for (const passed of [0, 1, 2, -9_999, 3, -25 * hour, -100_000 * hour, 4]) {
      now = later(passed);
      for (let count = 0; count < 1_000; count += 1) ids.push(newId());
    }
    for (const [index, id] of ids.slice(1).entries()) expect(id > (ids[index] ?? '')).to.equal(true);
    expect(new Set(ids.map((id) => Id.parse(id))).size).to.equal(8_000);
  });

  it('ascend across processes that share a clock', () => {
    let passed = 0;
    const now = () => Instant.milliseconds(later(passed));
    const processes = [idGenerator(now), idGenerator(now)];
    const ids: Id[] = [];
    for (passed = 0; passed < 100; passed += 1) {
      for (const newId of processes.slice(passed % 2, (passed % 2) + 1)) ids.push(newId());
    }
    expect(ids.toSorted()).to.deep.equal(ids);
    expect(ids).to.have.lengthOf(100);
  });
});
