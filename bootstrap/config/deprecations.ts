import { type Deprecations, isVersion, type VersionName } from '#adapters/http/versions.ts';
import { Instant } from '#domain/instant.ts';

/** `v1=2027-06-30T00:00:00Z`, several with commas between; undefined when it is not that. */
export const parseDeprecations = (text: string): Deprecations | undefined => {
  const deprecations = new Map<VersionName, number>();
  for (const entry of text.split(',')) {
    const [name = '', time = ''] = entry.trim().split('=');
    const sunset = Instant.parse(time);
    if (!isVersion(name) || sunset === undefined) return undefined;
    deprecations.set(name, Instant.milliseconds(sunset));
  }
  return deprecations;
};
