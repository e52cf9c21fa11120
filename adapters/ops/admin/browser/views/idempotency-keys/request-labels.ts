import { statusChip } from '../../components/chips.ts';
import { formatTime } from '../../format.ts';
import type { TemplateResult } from '../../lit.ts';
import type { IdempotencyKey } from '../../resources.ts';

interface Outcome {
  /** A status whose colour it has. */
  readonly tone: string;
  readonly word: string;
  readonly meaning: string;
  readonly advice: string;
}

/** What became of a request: a short word, and what it means with what to do. */
export const outcomeOf = ({
  status,
  error_code: code,
  response_status: response,
  lease_until: until,
}: IdempotencyKey): Outcome => {
  if (status === 'in_progress')
    return {
      ...{ tone: 'processing', word: 'Still running' },
      meaning: 'The server is working on it.',
      advice: until
        ? `Look again after ${formatTime(until)}. This page looks again by itself.`
        : 'This page looks again by itself.',
    };
  if (status === 'open')
    return {
      ...{ tone: 'pending', word: 'Not finished' },
      meaning: 'It stopped in the middle. What the payment provider did is not known yet.',
      advice:
        'Portico asks the provider by itself within a few minutes. If the program sends the same request with the same key, it is finished at once. Nothing is charged twice.',
    };
  if (code !== null)
    return {
      ...{ tone: 'failed', word: 'Rejected' },
      meaning: `It was rejected (${code}).`,
      advice: 'Another attempt needs a new key: with this one the program gets the same rejection.',
    };
  if (response === null)
    return {
      ...{ tone: 'completed', word: 'Finished by Portico' },
      meaning: 'It is finished, and the program that sent it has no response yet.',
      advice: 'Look at what it was about: its status says what came of it.',
    };
  return {
    ...{ tone: 'succeeded', word: 'Done' },
    meaning: 'It was carried out, once, whether or not the program has got the response.',
    advice: 'There is nothing to do.',
  };
};

export const outcomeChip = (request: IdempotencyKey): TemplateResult => {
  const { tone, word } = outcomeOf(request);
  return statusChip(tone, word);
};
