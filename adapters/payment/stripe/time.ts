import { ApplicationError } from '#application/errors.ts';

/**
 * What is left of the time that several requests have together, as the SDK takes it.
 * @throws ApplicationError 'provider-timeout' when it has run out
 */
export type Time = (share?: number) => { readonly timeout: number };

export const timeFor = (milliseconds: number): Time => {
  const end = performance.now() + milliseconds;
  return (share = 1) => {
    const timeout = Math.ceil((end - performance.now()) * share);
    if (timeout > 0) return { timeout };
    throw new ApplicationError('provider-timeout', 'The payment provider did not answer in time.');
  };
};
