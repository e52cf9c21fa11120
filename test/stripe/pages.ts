import type { Form } from './form.ts';
import { invalid, missing } from './response.ts';

interface Listed {
  readonly id: string;
  readonly createdAt: number;
}

export const seconds = (milliseconds: number): number => Math.floor(milliseconds / 1000);

/** https://docs.stripe.com/api/pagination: the newest first. */
export const pageOf = <T extends Listed>(all: readonly T[], form: Form, view: (each: T) => unknown) => {
  const limit = Number(form.get('limit') ?? 10);
  if (!(limit >= 1 && limit <= 100)) throw invalid('limit', 'limit must be from 1 to 100');
  const rows = within(all, form).toReversed();
  const after = form.get('starting_after');
  const start = after === undefined ? 0 : rows.findIndex(({ id }) => id === after) + 1;
  if (after !== undefined && start === 0) throw missing('object', after, 400);
  return {
    object: 'list',
    data: rows.slice(start, start + limit).map(view),
    has_more: rows.length > start + limit,
  };
};

const within = <T extends Listed>(all: readonly T[], form: Form): readonly T[] => {
  const limitOf = (name: string, otherwise: number) => Number(form.get(`created[${name}]`) ?? otherwise);
  const least = Math.max(limitOf('gte', 0), limitOf('gt', -1) + 1);
  const most = Math.min(
    limitOf('lte', Number.POSITIVE_INFINITY),
    limitOf('lt', Number.POSITIVE_INFINITY) - 1,
  );
  return all.filter(({ createdAt }) => seconds(createdAt) >= least && seconds(createdAt) <= most);
};
