import { isDeepStrictEqual } from 'node:util';
import type { Json } from '../../../http/support/client.ts';
import { type Violation, violation } from '../../violations.ts';
import { isWhollyTold } from '../told-versions.ts';
import type { ReceiversEvidence } from './evidence.ts';

/** What is no part of the version of a resource, or is shown to the payer and the shop alone, so that no event tells of it. */
const untold = ['position', 'failing_since', 'last_used_at', 'next_action'];

const compared = (resource: Json): object =>
  Object.fromEntries(Object.entries(resource).filter(([name]) => !untold.includes(name)));

/** The last event of each subject shows what GET does, unless it has a later version that no event need tell. */
export const judgeLastEvents = ({ lastEvents }: Pick<ReceiversEvidence, 'lastEvents'>): Violation[] =>
  lastEvents.flatMap(({ event: { sequence, type, subject, data }, resource }) => {
    const found = (what: string) => [
      violation('lastEvents', `event ${sequence}, ${type} of ${subject.id}: ${what}`),
    ];
    if (type.endsWith('.deleted')) return resource === undefined ? [] : found('it still exists');
    if (resource === undefined) return found('it does not exist');
    if (resource.version < subject.version)
      return found(`it has version ${resource.version}, and the event ${subject.version}`);
    if (resource.version > subject.version)
      return isWhollyTold(subject.type)
        ? found(`it has version ${resource.version}, which no event tells`)
        : [];
    const [told, shown] = [compared(data), compared(resource)];
    return isDeepStrictEqual(told, shown)
      ? []
      : found(`${JSON.stringify(told)} is now ${JSON.stringify(shown)}`);
  });
