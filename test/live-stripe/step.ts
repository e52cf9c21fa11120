import type { Shop } from './shop.ts';

/** What the contract says about one thing, and what was seen. */
export interface Observation {
  readonly subject: string;
  readonly expected: string;
  readonly seen: string;
}

/** Notes an observation. Values that are not texts are compared as JSON. */
export type Observe = (subject: string, seen: unknown, expected: unknown) => void;

export interface Step {
  /** A sentence about what Stripe and Portico do. */
  readonly name: string;
  /** Whether it waits for what Stripe does later. Such steps run beside each other. */
  readonly isLate?: boolean;
  run(shop: Shop, observe: Observe): Promise<void>;
}

export const isDifferent = ({ expected, seen }: Observation): boolean => expected !== seen;

/** @returns what was observed. A step that throws, or that observes nothing, has not gone as expected */
export const runStep = async (step: Step, shop: Shop): Promise<readonly Observation[]> => {
  const observations: Observation[] = [];
  const observe: Observe = (subject, seen, expected) => {
    observations.push({ subject, expected: textOf(expected), seen: textOf(seen) });
  };
  try {
    await step.run(shop, observe);
    if (observations.length === 0) observe('observations', 'none', 'some');
  } catch (error) {
    observe('the step', shop.redact(error instanceof Error ? error.message : String(error)), 'ends');
  }
  return observations;
};

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value ?? null);
