import { ApplicationError } from '#application/errors.ts';
import { Changes } from './changes.ts';
import type { Member } from './member.ts';

/** The members of a group as they ended. */
export interface Ended {
  /** In the order in which they were: each is behind those whose changes it has seen. */
  readonly done: Member[];
  /** What was refused to those who have seen what others changed. */
  readonly refused: Map<Member, unknown>;
}

/** What is committed of a group. */
interface Kept {
  readonly members: readonly Member[];
  readonly changes: Changes;
  /** When the first of them has no time left for it. */
  readonly commitBy: number;
}

/** Decides at the last moment what is committed. All others are told, but for those refused who have seen what is kept. */
export const whoIsKept = ({ done, refused }: Ended): Kept => {
  const kept = new Set<Member>();
  const changes = new Changes();
  const now = performance.now();
  for (const member of done) {
    if (now >= member.commitBy) member.refuse(new ApplicationError('unavailable', 'It took too long.'));
    else if (member.behind.isSubsetOf(kept) && changes.addAll(member.changes)) kept.add(member);
    else member.settle('singly');
  }
  for (const member of refused.keys()) if (!member.behind.isSubsetOf(kept)) member.settle('singly');
  const members = [...kept];
  return { members, changes, commitBy: Math.min(...members.map(({ commitBy }) => commitBy)) };
};
