import type { Form } from './form.ts';
import { invalid, missing } from './response.ts';

interface Listed {
  readonly id: string;
  readonly createdAt: number;
}

export const pagingParameters = ['created', 'ending_before', 'limit', 'starting_after'];

export const seconds = (milliseconds: number): number => Math.floor(milliseconds / 1000);

/** https://docs.stripe.com/api/pagination: the newest first. */
export const pageOf = <T extends Listed>(all: readonly T[], form: Form, view: (each: T) => unknown) => {
  const limit = Number(form.get('limit') ?? 10);
  if (!(limit >= 1 && limit <= 100)) throw invalid('limit', 'limit must be from 1 to 100');
  const rows = within(all, form).toReversed();
  const [start, end] = [
    positionOf(rows, form.get('starting_after'), -1) + 1,
    positionOf(rows, form.get('ending_before'), rows.length),
  ];
  const isBackward = form.has('ending_before');
  const first = isBackward ? Math.max(start, end - limit) : start;
  const last = isBackward ? end : Math.min(end, start + limit);
  return {
    object: 'list',
    data: rows.slice(first, last).map(view),
    has_more: isBackward ? first > start : last < end,
  };
};

const positionOf = (rows: readonly Listed[], id: string | undefined, otherwise: number): number => {
  if (id === undefined) return otherwise;
  const position = rows.findIndex((row) => row.id === id);
  if (position === -1) throw missing('object', id, 400);
  return position;
};

const within = <T extends Listed>(all: readonly T[], form: Form): readonly T[] => {
  const exactly = form.get('created');
  if (exactly !== undefined) return all.filter(({ createdAt }) => seconds(createdAt) === Number(exactly));
  const limitOf = (name: string, otherwise: number) => Number(form.get(`created[${name}]`) ?? otherwise);
  const least = Math.max(limitOf('gte', 0), limitOf('gt', -1) + 1);
  const most = Math.min(
    limitOf('lte', Number.POSITIVE_INFINITY),
    limitOf('lt', Number.POSITIVE_INFINITY) - 1,
  );
  return all.filter(({ createdAt }) => seconds(createdAt) >= least && seconds(createdAt) <= most);
};
