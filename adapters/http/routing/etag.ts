import type { ExpectedVersions } from '#application/found.ts';

/** The strong entity tag of a resource (RFC 9110 section 8.8.3): its version, in quotes. */
export const entityTag = (version: number): string => `"${version}"`;

const strongTag = /^"([1-9]\d{0,14})"$/;

/**
 * The versions in If-Match, for optimistic concurrency. A tag that is not ours matches no version; `*` and an absent header
 * match every version.
 */
export const parseIfMatch = (ifMatch: string | undefined): ExpectedVersions => {
  if (ifMatch === undefined || ifMatch.trim() === '*') return undefined;
  return tags(ifMatch).flatMap((tag) => strongTag.exec(tag)?.slice(1).map(Number) ?? []);
};

/** Whether If-None-Match contains the tag by weak comparison (RFC 9110 section 13.1.2), so that 304 is the response. */
export const matchesIfNoneMatch = (tag: string, ifNoneMatch: string | undefined): boolean =>
  ifNoneMatch !== undefined &&
  tags(ifNoneMatch).some((one) => one === '*' || one.replace(/^W\//, '') === tag);

const tags = (header: string): string[] => header.split(',').map((tag) => tag.trim());
