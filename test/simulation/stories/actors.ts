import type { Caller } from '#application/preconditions.ts';
import type { PaymentId } from '#domain/payment.ts';
import type { Random } from '#test/support/random.ts';
import type { Operation } from '../client.ts';
import type { Actor, Schedule } from '../schedule.ts';
import type { Shop } from '../shop.ts';

/** What stories are made of. */
export interface Actors {
  readonly shop: Shop;
  readonly schedule: Schedule;
  readonly random: Random;
  /** Lets a client send the operation until it has a response, or gives up. */
  readonly send: (one: Operation) => Promise<void>;
  /** Lets a client read a payment once, if a server is up. */
  readonly read: (client: Actor, caller: Caller, id: PaymentId) => Promise<void>;
}

/** Some clients repeat a request before its response. */
export const impatiently = ({ random, send }: Actors, one: Operation): readonly Promise<void>[] =>
  random.chance(0.4) ? [send(one), send(one)] : [send(one)];
