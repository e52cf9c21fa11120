import type { Allowance, RateLimiter } from '#application/ports/rate-limiter.ts';
import { cellCounter, type Register } from './series.ts';

/** Counts what a limiter says. */
export const measuredRateLimiter = (register: Register) => {
  const decisions = cellCounter(register, {
    name: 'portico_rate_limit_decisions_total',
    help: 'Requests that the rate limit let in, or did not.',
  });
  const allowed = decisions({ outcome: 'allowed' });
  const denied = decisions({ outcome: 'denied' });
  const note = (allowance: Allowance): Allowance => {
    if (allowance.allowed) allowed.count += 1;
    else denied.count += 1;
    return allowance;
  };
  return <Limiter extends RateLimiter>(limiter: Limiter): Limiter => ({
    ...limiter,
    take: (key) => {
      const taken = limiter.take(key);
      return taken instanceof Promise ? taken.then(note) : note(taken);
    },
  });
};
