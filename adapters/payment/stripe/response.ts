import type { Failure } from '#domain/payment.ts';
import { isAboutTheCharge, isKeySpent, refusalIn } from './failures.ts';

/** What came of a request. */
export type Answer<T> =
  | { readonly made: T }
  /** It stands when every other request for the same charge would be refused too. */
  | { readonly declined: Failure; readonly stands: boolean }
  /** The idempotency key stands for something else already, which the answer does not show. */
  | { readonly spent: true };

/** @throws the SDK's error where the outcome is open */
export const answerTo = async <T>(request: Promise<T>): Promise<Answer<T>> => {
  try {
    return { made: await request };
  } catch (error) {
    if (isKeySpent(error)) return { spent: true };
    const declined = refusalIn(error);
    if (declined !== undefined) return { declined, stands: isAboutTheCharge(error) };
    throw error;
  }
};
