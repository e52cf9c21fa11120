import { join } from 'node:path';
import { eventTypes, typesMatching } from '#domain/event.ts';
import type { WebhookOrdering } from '#domain/webhooks/attempts.ts';
import type { WebhookEventType } from '#domain/webhooks/endpoint.ts';
import type { Random } from '#test/support/random.ts';
import { freePort } from '../../bootstrap/support/ports.ts';
import { Client, type Json } from '../../http/support/client.ts';
import type { Shop } from '../../lab/clients/shop.ts';
import type { Pace } from '../conditions.ts';
import { KilledProgram } from './killed-program.ts';
import { type Behaviour, Receiver } from './receiver.ts';

interface Plan {
  /** Undefined for a receiver in a process of its own, which is killed. */
  readonly behaviour?: Behaviour;
  readonly types: readonly WebhookEventType[];
  readonly ordering?: WebhookOrdering;
  /** Whether it must have got everything soon after the last kill. */
  readonly works?: boolean;
}

/** A slow receiver gets what is rare: at ten seconds each it would never get the rest. */
const plans = {
  well: { behaviour: 'well', types: ['*'], works: true },
  slow: { behaviour: 'slow', types: ['dispute.*', 'user.*'] },
  fails: { behaviour: 'fails', types: ['order.*', 'product.*'] },
  closes: { behaviour: 'closes', types: ['refund.*', 'payment.refunded'] },
  gone: { behaviour: 'gone', types: ['payment.*'], works: true },
  dies: { types: ['order.paid', 'order.canceled', 'refund.*'] },
  sequential: { behaviour: 'stumbles', types: ['order.*'], ordering: 'sequential', works: true },
} satisfies Record<string, Plan>;

/** An endpoint with its receiver. */
export interface Subscriber {
  readonly name: string;
  readonly id: string;
  readonly secret: string;
  /** What it was at the creation. */
  readonly position: number;
  readonly types: readonly string[];
  readonly ordering: WebhookOrdering;
  readonly works: boolean;
  /** Where its receipts are. */
  readonly file: string;
  /** In this process. */
  readonly receiver: Receiver | undefined;
  readonly program: KilledProgram | undefined;
  /** The request that has created it. */
  readonly creation: { readonly key: string; readonly body: object };
}

interface Options {
  readonly url: string;
  readonly shop: Shop;
  readonly pace: Pace;
  readonly folder: string;
  readonly cache: string;
  readonly random: Random;
  readonly cleanUp: AsyncDisposableStack;
  readonly onReceiverKilled: () => void;
}

/** Creates the endpoints, while nothing fails, and starts their receivers. */
export const startSubscribers = async (options: Options): Promise<readonly Subscriber[]> => {
  const all: Subscriber[] = [];
  for (const [name, plan] of Object.entries(plans)) all.push(await startSubscriber(name, plan, options));
  return all;
};

const startSubscriber = async (
  name: string,
  { behaviour, types, ordering = 'parallel', works = false }: Plan,
  { url: base, shop, pace, folder, cache, random, cleanUp, onReceiverKilled }: Options,
): Promise<Subscriber> => {
  const file = join(folder, `${name}.receipts`);
  const receiver = behaviour && new Receiver({ behaviour, file, random: random.fork() });
  const port = await freePort();
  const url = receiver ? await receiver.listen() : `http://127.0.0.1:${port}/`;
  if (receiver) cleanUp.defer(() => receiver.close());
  const body = { url, event_types: types, ordering, description: name };
  const key = `subscriber-${name}`;
  const { id, secret, position } = await create(new Client(() => base, shop.admin), key, body);
  if (receiver) receiver.secret = secret;
  const program = receiver
    ? undefined
    : new KilledProgram({
        ...{ program: 'receiver-main.ts', parameters: [`${port}`, file, secret], cache },
        ...{ random: random.fork(), livesMs: [1_500, 8_000], longerLives: pace.longerLives },
        onKilled: onReceiverKilled,
      });
  if (program) cleanUp.defer(() => program.end());
  return {
    ...{ name, id, secret, position, ordering, works, file, receiver, program },
    types: types.flatMap((type): readonly string[] => (type === '*' ? eventTypes : typesMatching(type))),
    creation: { key, body },
  };
};

const create = async (admin: Client, key: string, body: object): Promise<Json> => {
  const response = await admin.post('/v1/webhook-endpoints', body, { 'Idempotency-Key': key });
  if (response.status === 201) return response.body.data;
  throw new Error(`A webhook endpoint cannot be created: ${response.status} ${response.text}`);
};
