import type { Migrations } from '#adapters/persistence/schema/migrate.ts';
import { breaches } from './breaches.ts';
import type { Place } from './places.ts';
import type { Release } from './release.ts';
import { type Schema, schemaOf } from './schema.ts';

const contract = /^[\d-]+-contract-since-(\d+\.\d+\.\d+)-/;

/** Lists what a migration breaks for the release. @param name of the migration */
export const faultsOfStep = (
  name: string,
  { before, after }: { readonly before: Schema; readonly after: Schema },
  release: Release,
): readonly string[] => {
  const faults: string[] = [];
  const since = contract.exec(name)?.[1];
  if (since !== undefined && since !== release.version)
    faults.push(`${name}: only what ${release.version} does without already may go`);
  for (const { of, says } of breaches(before, after)) {
    if (since === undefined) faults.push(`${name}: ${of} ${says}`);
    else if (!release.noLongerUsed.includes(of)) faults.push(`${name}: ${of} ${says}, and is in use`);
  }
  return faults;
};

/** Applies all migrations to an empty database. @returns what those break that are later than the release */
export const faultsOf = async (
  { url, apply }: Place,
  steps: Migrations,
  release: Release,
): Promise<readonly string[]> => {
  const faults: string[] = [];
  const known = steps.filter(({ name }) => release.migrations.includes(name));
  await apply(known);
  let before = await schemaOf(url);
  const done = [...known];
  for (const step of steps.filter((step) => !known.includes(step))) {
    done.push(step);
    await apply(done);
    const after = await schemaOf(url);
    faults.push(...faultsOfStep(step.name, { before, after }, release));
    before = after;
  }
  return faults;
};
