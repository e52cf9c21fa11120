// @ts-nocheck
import { forget, keep, kept } from '../kept.ts';

/* Runs before all other modules but `kept.js`: none of them sees the code that the provider has put into the address. */

const name = 'portico-sign-in';

/**
 * Remembers a sign-in for this tab, until the provider sends the person back.
 * @returns whether the page will know it then
 */
export const rememberSignIn = (signIn) => keep(name, JSON.stringify(signIn));

/** @returns the sign-in that has begun in this tab, which no later callback can use again */
const forgetSignIn = () => {
  const text = kept(name);
  forget(name);
  return text === undefined ? undefined : JSON.parse(text);
};

const readCallback = () => {
  const query = new URLSearchParams(location.search);
  const given = Object.fromEntries(
    ['code', 'state', 'iss', 'error', 'error_description'].map((each) => [
      each,
      query.get(each) ?? undefined,
    ]),
  );
  if (given.code === undefined && given.error === undefined) return undefined;
  const begun = forgetSignIn();
  const isOurs = begun !== undefined && begun.state === given.state;
  // The place is from this tab, never from the address: a link cannot choose it.
  history.replaceState(null, '', `/admin${isOurs ? begun.place : ''}`);
  return { ...given, verifier: isOurs ? begun.verifier : undefined };
};

/** What the provider has sent; undefined when the page was opened otherwise. Only a callback of this tab's sign-in has a verifier. */
export const callback = readCallback();
