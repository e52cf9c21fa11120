import type { SeenVersions } from '#application/found.ts';

/** A resource's strong entity tag (RFC 9110, 8.8.3): its version, in quotes. */
export const entityTag = (version: number): string => `"${version}"`;

const strongTag = /^"([1-9]\d{0,14})"$/;

/** The versions that If-Match names. What is no tag of ours matches nothing; `*` matches whatever is there. */
export const parseIfMatch = (ifMatch: string | undefined): SeenVersions => {
  if (ifMatch === undefined || ifMatch.trim() === '*') return undefined;
  return tags(ifMatch).flatMap((tag) => strongTag.exec(tag)?.slice(1).map(Number) ?? []);
};

/** Whether If-None-Match names the tag, so that nothing new has to be sent (RFC 9110, 13.1.2: weakly compared). */
export const matchesIfNoneMatch = (tag: string, ifNoneMatch: string | undefined): boolean =>
  ifNoneMatch !== undefined &&
  tags(ifNoneMatch).some((one) => one === '*' || one.replace(/^W\//, '') === tag);

const tags = (header: string): string[] => header.split(',').map((tag) => tag.trim());
