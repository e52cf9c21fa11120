import { expect } from 'chai';
import { Instant } from '#domain/instant.ts';
import { noon } from '../samples.ts';
import type { Fixture } from './fixture.ts';

/** What a provider promises that sends its events. */
export const describeWebhooks = ({ promise, now, begin }: Fixture): void => {
  const read = (...event: Parameters<NonNullable<ReturnType<Fixture['now']>['lifecycle']['parseWebhook']>>) =>
    now().lifecycle.parseWebhook?.(...event);

  promise('believes no event without a signature', ['lifecycle.parseWebhook'], async () => {
    const body = Buffer.from('{"id": "evt_1", "type": "charge.updated"}');
    expect(await read({ body, headers: {} }, noon)).to.equal('forged');
  });

  const needs = ['lifecycle.parseWebhook', 'world.signEvent'] as const;
  promise(
    'parses the object from an event that it has signed, unless that was changed or is old',
    needs,
    async () => {
      const { world, good } = now();
      const { reference } = await begin(good);
      const event = await world.signEvent(reference, noon);
      expect(await read(event, noon)).to.deep.equal([{ kind: 'charge', reference }]);
      expect(await read(event, Instant.plus(noon, 301_000))).to.equal('stale');
      const body = Buffer.concat([event.body, Buffer.from(' ')]);
      expect(await read({ ...event, body }, noon)).to.equal('forged');
    },
  );
};
