import { expect } from 'chai';
import { Instant } from '#domain/instant.ts';
import { aRefundRequest } from '../payment-provider.ts';
import { type Fixture, payer } from './fixture.ts';
import type { Part } from './parts.ts';

/** Before anything that a test does, by any clock. */
const longAgo = Instant.at(Date.UTC(2020));

const needs = ['lifecycle.findChargeOf', 'lifecycle.listProviderEvents'] as const;

/** What a provider promises that has a list of events. */
export const describeProviderEvents = ({ promise, now, begin }: Fixture): void => {
  promise('lists no event before the first', needs, async () => {
    expect(await now().lifecycle.listProviderEvents(longAgo)).to.deep.equal({ events: [], newest: null });
  });

  const stories: readonly (readonly [
    what: string,
    name: 'consent' | 'agreeLater' | 'refundExternally' | 'failRefundLate' | 'dispute',
    ...also: Part[],
  ])[] = [
    ['a charge whose payer consents', 'consent', 'lifecycle.asksPayer'],
    ['a charge that it decides later', 'agreeLater'],
    ['a refund that was made at the provider', 'refundExternally'],
    ['a refund that fails late', 'failRefundLate'],
    ['a dispute', 'dispute'],
  ];
  for (const [what, name, ...also] of stories)
    promise(
      `lists an event that leads to ${what}, and lists it again from its time on`,
      [...needs, `world.${name}`, ...also],
      async () => {
        const { lifecycle, provider, world } = now();
        const { method, happen } = world[name];
        const charge = await begin(method, name === 'consent' ? { payer } : {});
        if (name === 'failRefundLate') await provider.refund(aRefundRequest(charge.reference));
        const known = new Set(
          (await lifecycle.listProviderEvents(longAgo)).events.map(({ eventId }) => eventId),
        );
        await happen(charge.reference);
        const { events, newest } = await lifecycle.listProviderEvents(longAgo);
        const ids = events.map(({ eventId }) => eventId);
        expect(new Set(ids), 'ids of events').to.have.lengthOf(ids.length);
        const fresh = events.filter(({ eventId }) => !known.has(eventId));
        expect(fresh).to.not.deep.equal([]);
        for (const { kind, reference } of fresh)
          expect(await lifecycle.findChargeOf({ kind, reference }), kind).to.equal(charge.reference);
        if (newest === null) expect.fail('There is an event.');
        const again = await lifecycle.listProviderEvents(newest);
        expect(again.newest).to.equal(newest);
        expect(ids).to.include.members(again.events.map(({ eventId }) => eventId));
        expect(again.events).to.not.deep.equal([]);
      },
    );
};
