import { adminPage } from './admin-page/admin-page.ts';
import { capacity } from './capacity.ts';
import { deepFeed } from './deep-feed/deep-feed.ts';
import { eventCost } from './event-cost/event-cost.ts';
import { events } from './events.ts';
import { failover } from './failover.ts';
import { overload } from './overload.ts';
import { search } from './search.ts';
import { shutdown } from './shutdown.ts';
import { slowClients } from './slow-clients.ts';
import { soak } from './soak.ts';
import { swallow } from './swallow.ts';
import type { Trial } from './trial.ts';
import { webhookSoak } from './webhooks/soak.ts';

/** All trials, in the order in which they run by default. */
export const trials: readonly Trial[] = [
  overload,
  shutdown,
  slowClients,
  soak,
  failover,
  swallow,
  search,
  adminPage,
  events,
  deepFeed,
  eventCost,
  webhookSoak,
  capacity,
];
