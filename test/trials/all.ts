import { capacity } from './capacity.ts';
import { failover } from './failover.ts';
import { overload } from './overload.ts';
import { shutdown } from './shutdown.ts';
import { slowClients } from './slow-clients.ts';
import { soak } from './soak.ts';
import { swallow } from './swallow.ts';
import type { Trial } from './trial.ts';

/** In the order in which they are held when none is named. */
export const trials: readonly Trial[] = [overload, shutdown, slowClients, soak, failover, swallow, capacity];
