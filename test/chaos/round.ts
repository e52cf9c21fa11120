import type { Random } from '#test/support/random.ts';
import { actsWithinMs, calm, conduct, storm, waitLimits } from './conditions.ts';
import type { Counts } from './counts.ts';
import { verifyOutcomes } from './end.ts';
import type { Person } from './erasing/person.ts';
import { killAtStart, killRepeatedly } from './killer.ts';
import type { RetriedRequest } from './retried-request.ts';
import { openShop } from './shop.ts';
import { type Stage, setStage } from './stage.ts';
import { traffic } from './traffic.ts';
import { type Violations, violation } from './violations.ts';

type Options = Omit<Parameters<typeof setStage>[0], 'onUnexpectedExit'> & {
  readonly kills: number;
  readonly random: Random;
  readonly violations: Violations;
  readonly counts: Counts;
};

/** Clients shop while servers are killed; then every client's outcome is verified. */
export const playRound = async (options: Options): Promise<void> => {
  const { kills, violations, counts, random } = options;
  const onUnexpectedExit = (detail: string) => violations.add(violation('deadServers', detail));
  const stage = await setStage({ ...options, onUnexpectedExit });
  const { provider, fleet } = stage;
  // The database is empty, and one of the servers is killed while it creates the tables.
  if (kills > 0) await killAtStart({ fleet, counts, random });
  await fleet.ready();
  const shop = await openShop(`http://127.0.0.1:${fleet.servers[0].port}`);

  await provider.bankDelay(actsWithinMs);
  await provider.people(conduct(random.between(1, 1_000_000)));
  await provider.weather(storm(random.between(1, 1_000_000)));
  const requests: RetriedRequest[] = [];
  const people: Person[] = [];
  let isOver = false;
  const shopping = traffic(
    { ...stage, violations, counts, limits: waitLimits, shop, random, requests, people },
    () => isOver,
  );
  await Promise.race([killRepeatedly(kills - 1, { fleet, counts, random: random.fork() }), shopping]);
  isOver = true;
  await provider.weather(calm);
  await fleet.ready();
  await shopping;

  violations.add(...(await verifyOutcomes({ stage, shop, requests, people, random })));
  counts.erasures += people.filter(({ late }) => late !== undefined).length;
  await count(stage, counts);
};

const count = async ({ provider }: Stage, counts: Counts): Promise<void> => {
  const { charges, refunds, disputes } = await provider.ledger();
  counts.charges += charges.length;
  counts.refunds += refunds.length;
  counts.captures += charges.filter(({ capture_id: id }) => id !== null).length;
  counts.disputes += disputes.length;
};
