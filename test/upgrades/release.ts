import { readFileSync } from 'node:fs';
import type { Schema } from './schema.ts';

/** What is remembered of a release, of one of the databases. */
export interface Release {
  readonly version: string;
  /** The names of its migrations. */
  readonly migrations: readonly string[];
  readonly schema: Schema;
  /** What it was seen to say to the database. */
  readonly statements: readonly string[];
  readonly noLongerUsed: readonly string[];
}

export type DatabaseName = 'sqlite' | 'postgres';

export const placeOf = (database: DatabaseName): URL =>
  new URL(`previous-release/${database}.json`, import.meta.url);

/** That before the one that is being made; before the first, what there was of it. */
export const previousRelease = (database: DatabaseName): Release =>
  JSON.parse(readFileSync(placeOf(database), 'utf8'));
