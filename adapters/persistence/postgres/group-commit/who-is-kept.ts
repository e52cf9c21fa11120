import { ApplicationError } from '#application/errors.ts';
import { Changes } from './changes.ts';
import type { Member } from './member.ts';

/** How the members of a group ended. */
export interface Ended {
  /** In the order in which they completed: each comes behind those whose writes it has read. */
  readonly done: Member[];
  /** The errors of members that have read pending writes of others. */
  readonly failed: Map<Member, unknown>;
}

/** The part of a group that is committed. */
interface Kept {
  readonly members: readonly Member[];
  readonly changes: Changes;
  /** The earliest `commitBy` of its members. */
  readonly commitBy: number;
}

/**
 * Selects, right before the commit, the members that can commit together. It settles all others, except members that failed
 * after they read a write that is committed: their errors stand once it is.
 */
export const whoIsKept = ({ done, failed }: Ended): Kept => {
  const kept = new Set<Member>();
  const changes = new Changes();
  const now = performance.now();
  for (const member of done) {
    if (now >= member.commitBy)
      member.reject(new ApplicationError('unavailable', 'The request took too long.'));
    else if (member.behind.isSubsetOf(kept) && changes.addAll(member.changes)) kept.add(member);
    else member.settle('singly');
  }
  for (const member of failed.keys()) if (!member.behind.isSubsetOf(kept)) member.settle('singly');
  const members = [...kept];
  return { members, changes, commitBy: Math.min(...members.map(({ commitBy }) => commitBy)) };
};
