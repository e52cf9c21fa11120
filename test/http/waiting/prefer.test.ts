import { expect } from 'chai';
import { waitSecondsIn } from '#adapters/http/waiting/prefer.ts';

describe('The preference to wait', () => {
  const cases: readonly (readonly [string | undefined, number | undefined])[] = [
    [undefined, undefined],
    ['', undefined],
    ['wait=1', 1],
    ['wait=30', 30],
    ['wait=31', 30],
    ['wait=99999999999999999999', 30],
    ['WAIT = 5', 5],
    ['wait="7"', 7],
    ['wait=5; because=slow', 5],
    ['respond-async, wait=9, return=minimal', 9],
    ['wait=4, wait=9', 4],
    ['wait, wait=9', undefined],
    ['other="a,wait=5,b"', undefined],
    ['other="a, wait=5", wait=10', 10],
    ['other="\\", wait=5", wait=10', 10],
    ['other=", wait=5', undefined],
    ['wait=0', undefined],
    ['wait=-1', undefined],
    ['wait=1.5', undefined],
    ['wait=soon', undefined],
    ['wait=5 seconds', undefined],
    ['await=5', undefined],
    ['waiting=5', undefined],
    ['respond-async; wait=5', undefined],
  ];

  for (const [prefer, seconds] of cases)
    it(`${prefer === undefined ? 'is absent without a header' : `in "${prefer}"`} is ${seconds}`, () => {
      expect(waitSecondsIn(prefer === undefined ? {} : { prefer })).to.equal(seconds);
    });
});
