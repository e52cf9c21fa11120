import { setTimeout as pause } from 'node:timers/promises';
import { defaultErasureQuietMs } from '#application/jobs/erasure-job.ts';
import type { RetriedRequest } from '../../lab/clients/retried-request.ts';
import { markOf, Person } from '../erasing/person.ts';
import { erasure, newUser, orderWithTexts, refundWithReason } from '../erasing/requests.ts';
import { issueKey } from '../erasing/story.ts';
import type { Visit } from '../visit.ts';
import { created, type Operation, requested, untilFound } from './act.ts';

/** How long before the last pass of an erasure its server is traced, in milliseconds. */
const beforeLastPassMs = 1_000;

/** A customer with an order that is paid and refunded, and one that is pending; and the request to erase them. */
const erasedPerson = async (visit: Visit): Promise<readonly [Person, RetriedRequest]> => {
  const person = new Person(markOf(visit.name));
  const user = await created(newUser(visit, person));
  person.id = user.id;
  person.token = await issueKey(visit, user);
  const theirs = visit.as(person);
  const paid = await created(orderWithTexts(theirs, person, [theirs.line()]));
  const payment = await created(theirs.pay(paid));
  await created(refundWithReason(theirs, person, payment, 1));
  await theirs.change(paid, visit.shop.staff, 'fulfilled').untilFinal(visit.random);
  await created(orderWithTexts(theirs, person, [theirs.line(), theirs.line()]));
  person.isForgotten = true;
  person.late = orderWithTexts(theirs, person, [theirs.line()], ['401 UNAUTHORIZED']);
  return [person, erasure(visit, person)];
};

/** The request, and the pass that follows at once. */
export const beginErasure: Operation = async (world) => {
  const { visit } = world;
  const [{ id }, request] = await erasedPerson(visit);
  const firstPass = () =>
    untilFound(world, `select id from orders where user_id = '${id}' and status = 'canceled'`);
  const { run, finish } = requested(visit, request);
  return {
    run: async () => {
      await run();
      await firstPass();
    },
    finish: async () => {
      await finish();
      await firstPass();
    },
  };
};

/** The pass that completes it. */
export const completeErasure: Operation = async (world) => {
  const { visit } = world;
  const [{ id }, request] = await erasedPerson(visit);
  await request.untilFinal(visit.random);
  await pause(defaultErasureQuietMs - beforeLastPassMs);
  const lastPass = () =>
    untilFound(world, `select id from erasures where user_id = '${id}' and status = 'completed'`);
  return { run: lastPass, finish: lastPass };
};
