import { readFileSync } from 'node:fs';
import type { Schema } from './schema.ts';

/** The record of a release, for one of the databases. */
export interface Release {
  readonly version: string;
  /** The names of its migrations. The record of a build from before the baseline names the baseline, which has replaced them. */
  readonly migrations: readonly string[];
  readonly schema: Schema;
  /** The statements that it was seen to send. */
  readonly statements: readonly string[];
  readonly noLongerUsed: readonly string[];
}

export type DatabaseName = 'sqlite' | 'postgres';

export const placeOf = (database: DatabaseName): URL =>
  new URL(`previous-release/${database}.json`, import.meta.url);

/** Reads the record of the release before this one. */
export const previousRelease = (database: DatabaseName): Release =>
  JSON.parse(readFileSync(placeOf(database), 'utf8'));
