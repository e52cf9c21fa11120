import type { IncomingHttpHeaders } from 'node:http';
import { type ExpectedVersions, preconditionFailed } from '#application/preconditions.ts';

/** The entity tag of a resource (RFC 9110 section 8.8.3): its version, in quotes. */
export const entityTag = (version: number): string => `"${version}"`;

/** The conditions of a GET. Both hold the header as it was sent. */
export interface ReadConditions {
  readonly ifMatch: string | undefined;
  readonly ifNoneMatch: string | undefined;
}

/** The conditions of a GET; undefined when it has none, as most have. */
export const readConditions = (headers: IncomingHttpHeaders): ReadConditions | undefined => {
  const { 'if-match': ifMatch, 'if-none-match': ifNoneMatch } = headers;
  return ifMatch === undefined && ifNoneMatch === undefined ? undefined : { ifMatch, ifNoneMatch };
};

/**
 * Call this before `isNotModified` (RFC 9110 section 13.2.2).
 * @param version of the resource; undefined for a page, which has no entity tag
 * @throws DomainError 'precondition-failed' when `If-Match` names other versions only
 */
export const requireMatch = (conditions: ReadConditions | undefined, version: number | undefined): void => {
  if (conditions?.ifMatch === undefined) return;
  if (!includes(parseTags(conditions.ifMatch), version)) throw preconditionFailed();
};

/** Whether `If-None-Match` names the version, so that the response is 304. */
export const isNotModified = (conditions: ReadConditions | undefined, version: number): boolean =>
  conditions?.ifNoneMatch !== undefined && includes(parseTags(conditions.ifNoneMatch), version);

/**
 * The versions that a write accepts, by `If-Match` and `If-None-Match`. `If-None-Match: *` accepts none, because the resource that is
 * to be changed exists. A malformed `If-None-Match`, as without quotes, accepts none either: the client meant to prevent something.
 */
export const expectedVersions = (headers: IncomingHttpHeaders): ExpectedVersions => {
  const { 'if-match': ifMatch, 'if-none-match': ifNoneMatch } = headers;
  const accepted = ifMatch === undefined ? 'any' : parseTags(ifMatch);
  const excluded = ifNoneMatch === undefined ? [] : parseTags(ifNoneMatch);
  if (excluded === 'any' || (ifNoneMatch !== undefined && !tagList.test(ifNoneMatch))) return [];
  if (accepted !== 'any') return accepted.filter((version) => !excluded.includes(version));
  return excluded.length > 0 ? { not: excluded } : undefined;
};

type Versions = readonly number[] | 'any';

const includes = (versions: Versions, version: number | undefined): boolean =>
  versions === 'any' || (version !== undefined && versions.includes(version));

/**
 * `If-Match` accepts a weak tag, too, although RFC 9110 section 13.1.1 does not: a proxy that compresses a response weakens its tag,
 * and a tag here is a version.
 */
const ownTag = /^(?:W\/)?"([1-9]\d{0,14})"$/;

/** Entity tags with commas between, also none (RFC 9110 section 8.8.3). */
const tagList = /^[\s,]*(?:(?:W\/)?"[^"]*"(?:[\s,]+|$))*$/;

/** The versions that a header names. A tag that is not ours names none. */
const parseTags = (header: string): Versions =>
  header.trim() === '*'
    ? 'any'
    : header.split(',').flatMap((tag) => ownTag.exec(tag.trim())?.slice(1).map(Number) ?? []);
