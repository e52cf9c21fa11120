import { endOfTurn } from '#adapters/support/time.ts';

/**
 * Lets turns of the event loop pass until the condition holds, without a timer: for what follows soon, such as a line of the log
 * behind its response.
 * @throws after many turns
 */
export const turnsUntil = async (
  condition: () => boolean | Promise<boolean>,
  maxTurns = 1_000_000,
): Promise<void> => {
  for (let turn = 0; turn < maxTurns; turn += 1) {
    if (await condition()) return;
    await endOfTurn();
  }
  throw new Error(`The condition does not hold after ${maxTurns} turns.`);
};
