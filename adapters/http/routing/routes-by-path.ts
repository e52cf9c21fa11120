import type { Layer, Router } from '@koa/router';
import type { State } from '../request/context.ts';

/** The route of a request. */
export interface Found {
  readonly layer: Layer<State>;
  /** What stands in the path for the placeholders of the pattern, by their names. */
  readonly placeholders: Readonly<Record<string, string>>;
}

/**
 * Finds routes among those of a router, which would try all of its patterns: few begin with the same two words as a path
 * does. Without a method, the first with such a path is found. No pattern has a placeholder among the first two.
 */
export const routesByPath = (
  router: Router<State>,
): ((path: string, method?: string) => Found | undefined) => {
  const layers = Map.groupBy(router.stack, ({ path }) => beginningOf(`${path}`));

  return (path, method) => {
    for (const layer of layers.get(beginningOf(path)) ?? []) {
      if (method !== undefined && !layer.methods.includes(method)) continue;
      const match = layer.regexp.exec(path);
      if (match !== null) return { layer, placeholders: layer.params(path, match.slice(1)) };
    }
    return undefined;
  };
};

/** The first two parts of a path: `/v1/orders`. */
const beginningOf = (path: string): string => {
  const end = path.indexOf('/', path.indexOf('/', 1) + 1);
  return end < 0 ? path : path.slice(0, end);
};
