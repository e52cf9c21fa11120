import { sleep } from './retry.ts';

/** The API key or access token; a function if it changes. */
export type Credential = string | (() => string | Promise<string>);

/**
 * Asks for the key.
 * @returns undefined when the function takes longer than `limitMs`
 * @throws the signal's reason, and what the function throws
 */
export const keyOf = async (
  credential: Credential,
  limitMs: number,
  signal: AbortSignal | undefined,
): Promise<string | undefined> => {
  if (typeof credential === 'string') return credential;
  signal?.throwIfAborted();
  const given = new AbortController();
  const ended = signal === undefined ? given.signal : AbortSignal.any([given.signal, signal]);
  try {
    return await Promise.race([credential(), sleep(limitMs, ended).then(() => undefined)]);
  } finally {
    given.abort();
  }
};
