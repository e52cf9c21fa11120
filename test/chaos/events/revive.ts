import { setTimeout as pause } from 'node:timers/promises';
import type { Fleet } from '../fleet.ts';
import { call, getJson } from './calls.ts';
import type { Subscriber } from './subscribers.ts';

/** Waits until an endpoint is disabled because its receiver answers 410, and enables it once the receiver works. */
export const reviveOnceGone = async (
  { id, receiver }: Pick<Subscriber, 'id' | 'receiver'>,
  { fleet, admin, isOver }: { readonly fleet: Fleet; readonly admin: string; readonly isOver: () => boolean },
): Promise<boolean> => {
  const path = `/v1/webhook-endpoints/${id}`;
  while (!isOver()) {
    await pause(1_000);
    const endpoint = await getJson(fleet, admin, path);
    if (endpoint.data.disabled_reason !== 'gone') continue;
    if (receiver) receiver.behaviour = 'well';
    const body = JSON.stringify({ status: 'enabled' });
    const { status, text } = await call(fleet, { method: 'PATCH', path, token: admin, body });
    if (status !== 200) throw new Error(`The endpoint cannot be enabled: ${status} ${text}`);
    return true;
  }
  return false;
};
