import { endOfTurn } from '#adapters/support/time.ts';

/** More than any message on a socket of this process takes, however slow the machine is. */
const maxTurns = 1_000_000;

/**
 * Lets the event loop turn until the condition holds, for what sockets of this process bring: without a wait.
 * @throws when it does not hold after very many turns
 */
export const turnsUntil = async (condition: () => boolean): Promise<void> => {
  for (let turn = 0; !condition(); turn += 1) {
    if (turn === maxTurns) throw new Error(`The condition does not hold: ${condition}`);
    await endOfTurn();
  }
};
