import { setTimeout as pause } from 'node:timers/promises';
import { describeResponse, parseResponse, type Subject } from '../../lab/clients/response.ts';
import { sendRequest } from '../../lab/clients/send-request.ts';
import type { Token } from '../../lab/clients/shop.ts';
import { violation } from '../../lab/violations.ts';
import type { Visit } from '../visit.ts';

/** How often a payment is read until it is decided, and how long the pauses in between are at most, in milliseconds. */
const maxReads = 12;
const maxPauseMs = 400;

/** Reading a payment asks the provider, so that servers are killed in the middle of it, too. */
const readPayment = async (visit: Visit, { id }: Subject, token: Token): Promise<Subject | undefined> => {
  const { random, fleet, violations } = visit;
  const server = fleet.any(random);
  server.requestSent();
  const path = `/v1/payments/${id}`;
  const received = await sendRequest(
    server,
    { method: 'GET', path, token, body: '' },
    { keepAlive: random.chance(0.7), cutAfter: undefined },
  );
  if (typeof received === 'string') return undefined;
  const response = parseResponse(received);
  if (response.status === 200) return response.subject ?? undefined;
  if (response.status < 500) {
    violations.add(violation('unexpectedResponses', `GET ${path} got ${describeResponse(response)}`));
  }
  return undefined;
};

/** Reads a payment until it has one of the statuses. @returns undefined when that does not happen soon */
export const whenPaymentIs = async (
  visit: Visit,
  payment: Subject,
  statuses: readonly string[],
  token: Token = visit.customer,
): Promise<Subject | undefined> => {
  let last: Subject | undefined = payment;
  for (let reads = 0; reads < maxReads; reads += 1) {
    if (last !== undefined && statuses.includes(last.status ?? '')) return last;
    if (last?.status === 'failed' || last?.status === 'canceled') return undefined;
    await pause(visit.random.between(50, maxPauseMs));
    last = await readPayment(visit, payment, token);
  }
  return undefined;
};
