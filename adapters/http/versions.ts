import type { UseCases } from '#application/application.ts';
import { openApi } from './openapi/document.ts';
import type { Route } from './routing/route.ts';
import { subjects, v1 } from './v1/routes.ts';

/** The versions of the API, oldest first: the prefix of their paths, and their routes. */
export const versions = { v1 } satisfies Record<string, (useCases: UseCases) => readonly Route[]>;

export type VersionName = keyof typeof versions;

export const isVersion = (name: string): name is VersionName => Object.hasOwn(versions, name);

/** The latest version, as an OpenAPI document. */
export const describeApi = (useCases: UseCases) =>
  openApi({ name: latest, routes: versions[latest](useCases), subjects });

/** Where a path without a version is sent. */
export const latest: VersionName = 'v1';

/** Versions that will go, and when: milliseconds since 1970. */
export type Deprecations = ReadonlyMap<VersionName, number>;
