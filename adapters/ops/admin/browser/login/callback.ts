import { forget, keep, kept } from '../kept.ts';

/* Runs before all other modules but `kept.js`: none of them sees the code that the provider has put into the address. */

const name = 'portico-sign-in';

/** A sign-in that has begun. */
interface BegunSignIn {
  readonly state: string;
  readonly verifier: string;
  /** The address of the view at which it began. */
  readonly place: string;
}

/** What the provider has sent. */
export interface Callback {
  readonly code?: string | undefined;
  readonly state?: string | undefined;
  readonly iss?: string | undefined;
  readonly error?: string | undefined;
  readonly error_description?: string | undefined;
  /** Undefined unless this tab has begun the sign-in. */
  readonly verifier: string | undefined;
}

/**
 * Remembers a sign-in for this tab, until the provider sends the person back.
 * @returns whether the page will know it then
 */
export const rememberSignIn = (signIn: BegunSignIn): boolean => keep(name, JSON.stringify(signIn));

/** @returns the sign-in that has begun in this tab, which no later callback can use again */
const forgetSignIn = (): BegunSignIn | undefined => {
  const text = kept(name);
  forget(name);
  return text === undefined ? undefined : JSON.parse(text);
};

const readCallback = (): Callback | undefined => {
  const query = new URLSearchParams(location.search);
  const get = (parameter: string): string | undefined => query.get(parameter) ?? undefined;
  const given = {
    ...{ code: get('code'), state: get('state'), iss: get('iss') },
    ...{ error: get('error'), error_description: get('error_description') },
  };
  if (given.code === undefined && given.error === undefined) return undefined;
  const begun = forgetSignIn();
  const ours = begun?.state === given.state ? begun : undefined;
  // The place is from this tab, never from the address: a link cannot choose it.
  history.replaceState(null, '', `/admin${ours?.place ?? ''}`);
  return { ...given, verifier: ours?.verifier };
};

/** What the provider has sent; undefined when the page was opened otherwise. Only a callback of this tab's sign-in has a verifier. */
export const callback = readCallback();
