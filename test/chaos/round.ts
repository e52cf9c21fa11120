import type { Random } from '#test/support/random.ts';
import type { RetriedRequest } from '../lab/clients/retried-request.ts';
import { openShop } from '../lab/clients/shop.ts';
import { judgeAudience } from '../lab/judge/events/all.ts';
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
import { Audience } from './events/receivers.ts';
import { setStage } from './fixture.ts';
import { killAtStart, killRepeatedly } from './killer.ts';
import { traffic } from './traffic.ts';

type Options = Omit<Parameters<typeof setStage>[0], 'onUnexpectedExit'> & {
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
  const stage = await setStage({ ...options, servers, onUnexpectedExit });
  const { provider, fleet } = stage;
  // The database is empty, and one of the servers is killed while it creates the tables.
  if (kills > 0) await killAtStart({ fleet, counts, random });
  await fleet.ready();
  const shop = await openShop(`http://127.0.0.1:${fleet.servers[0].port}`, adminKey);
  const pace = options.light ? lightPace : usualPace;
  const audience = options.events
    ? await Audience.start({ ...options, ...stage, pace, shop, random: random.fork() })
    : undefined;

  await provider.bankDelay(actsWithinMs);
  await provider.people(conduct(random.between(1, 1_000_000)));
  await provider.weather(storm(random.between(1, 1_000_000)));
  const requests: RetriedRequest[] = [];
  const people: Person[] = [];
  let isOver = false;
  const shopping = traffic(
    { ...stage, pace, violations, counts, limits: waitLimits, shop, random, requests, people },
    () => isOver,
  );
  await Promise.race([killRepeatedly(kills - 1, { fleet, counts, random: random.fork() }), shopping]);
  isOver = true;
  audience?.serversSurvive();
  await provider.weather(calm);
  await fleet.ready();
  await shopping;

  violations.add(...(await verifyOutcomes({ stage, shop, requests, people, random })));
  if (audience !== undefined) violations.add(...judgeAudience(await audience.end()));
  await countOutcomes(counts, { stage, people });
};
