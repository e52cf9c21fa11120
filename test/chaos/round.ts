import type { Random } from '#test/support/random.ts';
import type { RetriedRequest } from '../lab/clients/retried-request.ts';
import { openShop } from '../lab/clients/shop.ts';
import { judgeReceivers } from '../lab/judge/events/all.ts';
import { type Violations, violation } from '../lab/violations.ts';
import {
  actsWithinMs,
  adminKey,
  calm,
  conduct,
  lightPace,
  storm,
  usualPace,
  waitLimits,
} from './conditions.ts';
import { type Counts, countOutcomes } from './counts.ts';
import { verifyOutcomes } from './end.ts';
import type { Person } from './erasing/person.ts';
import { Receivers } from './events/receivers.ts';
import { setFixture } from './fixture.ts';
import { killAtStart, killRepeatedly } from './killer.ts';
import { traffic } from './traffic.ts';

type Options = Omit<Parameters<typeof setFixture>[0], 'onUnexpectedExit'> & {
  readonly kills: number;
  readonly events: boolean;
  readonly light: boolean;
  readonly random: Random;
  readonly violations: Violations;
  readonly counts: Counts;
};

/** Clients shop while servers are killed; then every client's outcome is verified. */
export const playRound = async (options: Options): Promise<void> => {
  const { kills, violations, counts, random } = options;
  const onUnexpectedExit = (detail: string) => violations.add(violation('deadServers', detail));
  const servers = options.events && options.database === 'sqlite' ? 1 : 2;
  const fixture = await setFixture({ ...options, servers, onUnexpectedExit });
  const { provider, fleet } = fixture;
  // The database is empty, and one of the servers is killed while it creates the tables.
  if (kills > 0) await killAtStart({ fleet, counts, random });
  await fleet.ready();
  const shop = await openShop(`http://127.0.0.1:${fleet.servers[0].port}`, adminKey);
  const pace = options.light ? lightPace : usualPace;
  const receivers = options.events
    ? await Receivers.start({ ...options, ...fixture, pace, shop, random: random.fork() })
    : undefined;

  await provider.bankDelay(actsWithinMs);
  await provider.people(conduct(random.between(1, 1_000_000)));
  await provider.setNetworkFaults(storm(random.between(1, 1_000_000)));
  const requests: RetriedRequest[] = [];
  const people: Person[] = [];
  let isOver = false;
  const shopping = traffic(
    { ...fixture, pace, violations, counts, limits: waitLimits, shop, random, requests, people },
    () => isOver,
  );
  await Promise.race([killRepeatedly(kills - 1, { fleet, counts, random: random.fork() }), shopping]);
  isOver = true;
  receivers?.serversSurvive();
  await provider.setNetworkFaults(calm);
  await fleet.ready();
  await shopping;

  violations.add(...(await verifyOutcomes({ fixture, shop, requests, people, random })));
  if (receivers !== undefined) violations.add(...judgeReceivers(await receivers.end()));
  await countOutcomes(counts, { fixture, people });
};
