import type { Cause, EventType, NewEvent, SubjectType } from '#domain/event.ts';
import type { Instant } from '#domain/instant.ts';
import type { Order, OrderId, OrderItem } from '#domain/order.ts';
import type { Resource } from '#domain/resource.ts';
import { isSame } from '#domain/rule.ts';
import type { ReadRepositories } from '../ports/repositories.ts';
import type { ChangeLog, RecordedChange } from './change-log.ts';
import { type Belonging, declarations } from './declarations.ts';

/**
 * Shows a resource as clients see it, in the API version that is the latest when the change is made: names and values of the
 * top-level fields.
 */
export type ShowFields = (subject: SubjectType, resource: Resource) => object;

interface Dependencies {
  readonly cause: Cause;
  readonly now: () => Instant;
  readonly showFields: ShowFields;
}

type Reads = Pick<ReadRepositories, 'orderItems' | 'payments'>;

/** The events of a unit of work, in the order of its changes. It reads only what the unit of work does not know already. */
export const newEvents = async (
  log: ChangeLog,
  repositories: Reads,
  dependencies: Dependencies,
): Promise<readonly NewEvent[]> => {
  const recorded = log.changes.flatMap((change) => {
    const declaration = declarations[change.collection];
    if ('none' in declaration) return [];
    // The names of changes and subjects are those of one collection, which TypeScript cannot follow through the union.
    const name = declaration.nameOf(change as never, log);
    if (name === undefined) return [];
    return [{ change, declaration, type: `${declaration.subject}.${name}` as EventType }];
  });
  if (recorded.length === 0) return [];
  const items = await itemsOfOrders(
    log,
    repositories,
    recorded.map(({ change }) => change),
  );
  return Promise.all(
    recorded.map(async ({ change, declaration, type }): Promise<NewEvent> => {
      const { before, after } = change;
      const subject = after ?? before;
      if (subject === undefined) throw new TypeError('A change has a resource before or after it.');
      const orderItems = items.get(subject.id);
      return {
        type,
        timestamp: after?.updatedAt ?? dependencies.now(),
        subject: {
          type: declaration.subject,
          id: subject.id,
          // A deletion is one version more, although nothing has it: so no two events have one version.
          version: after === undefined ? subject.version + 1 : subject.version,
        },
        ...findable(
          await belongingOf(declaration.belongsTo as Belonging<Resource>, subject, log, repositories),
          dependencies.cause,
        ),
        changed: changedFields(
          change,
          declaration.subject,
          dependencies.showFields,
          orderItems !== undefined,
        ),
        cause: dependencies.cause,
        data: withoutHidden({ ...subject, ...(orderItems && { items: orderItems }) }, declaration.hidden),
      };
    }),
  );
};

/** The items of the orders whose events hold them: those that were created, and those whose items have changed. */
const itemsOfOrders = async (
  log: ChangeLog,
  { orderItems }: Reads,
  recorded: readonly RecordedChange[],
): Promise<ReadonlyMap<Resource['id'], readonly OrderItem[]>> => {
  const isNew = (id: OrderId): boolean =>
    log.changes.some(({ before, after }) => before === undefined && after?.id === id);
  const ids = recorded
    .flatMap(({ collection, after }) => (collection === 'orders' && after ? [after as Order] : []))
    .map(({ id }) => id)
    .filter((id) => isNew(id) || log.hasChangedItemsOf(id));
  const ofNew = ids.some(isNew) ? log.itemsAdded() : [];
  const old = [...new Set(ids.filter((id) => !isNew(id)))];
  const all = old.length === 0 ? ofNew : [...ofNew, ...(await orderItems.findBy('orderId', old))];
  return new Map(ids.map((id) => [id, all.filter(({ orderId }) => orderId === id)]));
};

type Owners = Pick<NewEvent, 'orderId' | 'userId'>;

/** Gives an event that belongs to no one the user whose request it holds, so that their erasure finds its id and its key. */
const findable = (owners: Owners, { userId }: Cause): Owners =>
  owners.orderId === null && owners.userId === null ? { orderId: null, userId } : owners;

/** The order and the user that a subject belongs to. */
const belongingOf = async (
  belongsTo: Belonging<Resource>,
  subject: Resource,
  log: ChangeLog,
  repositories: Reads,
): Promise<Owners> => {
  if (belongsTo === 'nothing') return { orderId: null, userId: null };
  if ('orderId' in belongsTo) return { orderId: belongsTo.orderId(subject), userId: null };
  if ('userId' in belongsTo) return { orderId: null, userId: belongsTo.userId(subject) };
  const [collection, idOf] = belongsTo.by;
  const id = idOf(subject);
  // The id is one of that collection, which TypeScript cannot follow through the union.
  const holder = log.known(collection, id) ?? (await repositories[collection].find(id as never));
  return { orderId: (holder as { orderId?: OrderId } | undefined)?.orderId ?? null, userId: null };
};

/** The names of the fields that clients see with another value than before. */
const changedFields = (
  { before, after }: RecordedChange,
  subject: SubjectType,
  showFields: ShowFields,
  hasItems: boolean,
): readonly string[] => {
  if (before === undefined || after === undefined) return [];
  const [old, shown] = [before, after].map((resource) => showFields(subject, resource)) as [object, object];
  const values = new Map<string, unknown>(Object.entries(old));
  const names = Object.entries(shown).flatMap(([name, value]) =>
    isSame(values.get(name), value) ? [] : [name],
  );
  return hasItems ? [...names, 'items'] : names;
};

const withoutHidden = (data: Resource, hidden: readonly string[] = []): Resource => {
  if (hidden.length === 0) return data;
  // No field of every resource is hidden.
  return Object.fromEntries(
    Object.entries(data).filter(([name]) => !hidden.includes(name)),
  ) as unknown as Resource;
};
