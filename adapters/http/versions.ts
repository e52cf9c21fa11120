import type { UseCases } from '#application/application.ts';
import { openApi } from './openapi/document.ts';
import type { Route } from './routing/route.ts';
import { subjects, v1 } from './v1/routes.ts';

/** The routes of each API version, oldest first, by the prefix of their paths. */
export const versions = { v1 } satisfies Record<string, (useCases: UseCases) => readonly Route[]>;

export type VersionName = keyof typeof versions;

export const isVersion = (name: string): name is VersionName => Object.hasOwn(versions, name);

/** The OpenAPI document of the latest version. */
export const describeApi = (useCases: UseCases) =>
  openApi({ name: latest, routes: versions[latest](useCases), subjects });

/** A path without a version is redirected to this one. */
export const latest: VersionName = 'v1';

/** When each deprecated version will be removed (its Sunset), in milliseconds since 1970. */
export type Deprecations = ReadonlyMap<VersionName, number>;
