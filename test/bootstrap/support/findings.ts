import { expect } from 'chai';
import type { Finding } from '#application/ports/inspection.ts';

/** Findings of the doctor as lines. What is not fine has a remedy. */
export const linesOf = (findings: readonly Finding[]): string[] => {
  for (const { state, remedy } of findings) if (state !== 'ok') expect(remedy).to.match(/^[A-Z].*\.$/);
  return findings.map(({ check, state, message }) => `${state} ${check}: ${message}`);
};

/** Their states and checks alone. */
export const statesOf = (findings: readonly Finding[]): string[] =>
  findings.map(({ check, state }) => `${state} ${check}`);
