import { join } from 'node:path';
import type { Random } from '#test/support/random.ts';
import { NoFinalResponseError, type RetriedRequest } from '../../lab/clients/retried-request.ts';
import { openShop } from '../../lab/clients/shop.ts';
import { type Violations, violation } from '../../lab/violations.ts';
import { adminKey, usualPace, waitLimits } from '../conditions.ts';
import { type Counts, countOutcomes } from '../counts.ts';
import { verifyOutcomes } from '../end.ts';
import type { Person } from '../erasing/person.ts';
import { setFixture } from '../fixture.ts';
import { Visit } from '../visit.ts';
import type { Act, Operation } from './act.ts';
import { byListOfEvents, operations } from './operations.ts';
import {
  errorPoints,
  injectionOf,
  isKill,
  killPoints,
  type Point,
  type Ports,
  placeOf,
  spreadOverPlaces,
} from './points.ts';
import { parseCalls, type SystemCall, Trace, wasKilled } from './trace.ts';

type Options = Omit<Parameters<typeof setFixture>[0], 'onUnexpectedExit' | 'started'> & {
  /** At most so many for an operation, and half as many errors. */
  readonly kills: number;
  /** Parts of the names of those that are wanted, separated by commas. */
  readonly operations: string | undefined;
  readonly random: Random;
  readonly violations: Violations;
  readonly counts: Counts;
  readonly print: (line: string) => void;
};

interface Played {
  readonly isHit: boolean;
  readonly calls: readonly SystemCall[];
}

/** Kills a server before each system call of each operation, and judges what became of all of them in the end. */
export const sweep = async (options: Options): Promise<void> => {
  const { violations, counts, random, print, folder, kills } = options;
  const onUnexpectedExit = (detail: string) => violations.add(violation('deadServers', detail));
  const fixture = await setFixture({ ...options, onUnexpectedExit, started: 1 });
  const { provider, fleet, database } = fixture;
  const [server, reserve] = fleet.servers;
  await server.ready;
  await provider.withholdWebhooks();
  const shop = await openShop(`http://127.0.0.1:${server.port}`, adminKey);
  const requests: RetriedRequest[] = [];
  const people: Person[] = [];
  const ports: Ports = {
    client: server.port,
    webhook: Number(new URL(server.eventsUrl).port),
    provider: Number(new URL(provider.url).port),
    database: database.url.startsWith('sqlite:') ? undefined : Number(new URL(database.url).port),
  };

  const prepare = (operation: Operation, name: string): Promise<Act> => {
    const dependencies = {
      ...fixture,
      pace: usualPace,
      violations,
      counts,
      limits: waitLimits,
      shop,
      requests,
      people,
    };
    return operation({ visit: new Visit({ ...dependencies, name, random: random.fork() }), database });
  };
  // What else it would look up moves the calls, and is looked up in the end.
  const isolated = { PROVIDER_EVENTS_POLL_MS: '0' };
  const restart = async (settings = {}) => {
    await server.kill();
    server.start(settings);
    await server.ready;
  };
  const traced = async (act: Act, name: string, injection?: string): Promise<string> => {
    if (server.pid === undefined) throw new Error(`${server.name} does not run.`);
    const trace = await Trace.attach(server.pid, join(folder, `${name}.strace`), injection);
    await act.run();
    return trace.end();
  };

  /** @returns whether the fault has occurred where it should: calls of other tasks may have come first; and the calls of this time */
  const play = async (
    operation: Operation,
    name: string,
    point: Point,
    settings: object,
  ): Promise<Played> => {
    const act = await prepare(operation, name);
    let text = '';
    const isDead = await server.whileItMayBeKilled(async () => {
      text = await traced(act, name, injectionOf(point));
      return wasKilled(text);
    });
    if (isDead) counts.kills += 1;
    // After an error of its disk, the server has to come back from what is in the files.
    if (isDead || point.fault === 'error=EIO') await restart(settings);
    await act.finish();
    const isReached = (call: SystemCall) => call.isInjected && placeOf(call, ports) === point.place;
    const calls = parseCalls(text);
    return { isHit: isKill(point) ? isDead : calls.some(isReached), calls };
  };

  const wanted = (options.operations ?? '').split(',');
  for (const [label, operation] of Object.entries(operations)) {
    if (!wanted.some((part) => label.includes(part))) continue;
    const name = label.replaceAll(/\W+/g, '-');
    const settings = label === byListOfEvents ? {} : isolated;
    await restart(settings);
    const dry = await prepare(operation, `${name}-dry`);
    let calls = parseCalls(await traced(dry, `${name}-dry`));
    await dry.finish();
    const hits = { kills: 0, errors: 0, missed: 0 };
    const places = new Map<string, number>();
    for (const [kind, points, most] of [
      ['kills', killPoints, kills],
      ['errors', errorPoints, kills / 2],
    ] as const)
      for (let index = 0; index < most; index += 1) {
        const point = spreadOverPlaces(points(calls, ports), most)[index];
        if (point === undefined) break;
        const played = await play(operation, `${name}-${kind}-${index}`, point, settings).catch(
          ignoreNoFinalResponse,
        );
        hits[played?.isHit ? kind : 'missed'] += 1;
        if (played?.isHit && kind === 'kills') {
          const last = played.calls.at(-1);
          const place = (last && placeOf(last, ports)) ?? 'elsewhere';
          places.set(place, (places.get(place) ?? 0) + 1);
        }
        // How often a server looks while it waits differs from time to time, and with it the number of calls.
        if (played?.isHit === false && points(played.calls, ports).length > 0) calls = played.calls;
      }
    const killedAt = [...places].map(([place, count]) => `${count} ${place}`).join(', ');
    const { kills: killed, errors, missed } = hits;
    print(
      `${label}: ${calls.length} calls; ${killed} kills (${killedAt}), ${errors} errors, ${missed} not reached`,
    );
  }
  await restart();
  reserve?.start();
  await fleet.ready();
  violations.add(...(await verifyOutcomes({ fixture, shop, requests, people, random })));
  await countOutcomes(counts, { fixture, people });
};

/** It is reported already. */
const ignoreNoFinalResponse = (error: unknown): undefined => {
  if (error instanceof NoFinalResponseError) return undefined;
  throw error;
};
