import type { Layer, Router } from '@koa/router';
import type { State } from './context.ts';

/** The route of a request. */
export interface Found {
  readonly layer: Layer<State>;
  /** What stands in the path for the placeholders of the pattern, by their names. */
  readonly placeholders: Readonly<Record<string, string>>;
}

/**
 * Finds routes among those of a router, which would try all of its patterns: few begin with the same two words as a path
 * does, and have as many parts. Without a method, the first with such a path is found. No pattern has a placeholder among the first two.
 */
export const routesByPath = (
  router: Router<State>,
): ((path: string, method?: string) => Found | undefined) => {
  const layers = Map.groupBy(router.stack, ({ path }) => shapeOf(`${path}`));

  return (path, method) => {
    for (const layer of layers.get(shapeOf(path)) ?? []) {
      if (method !== undefined && !layer.methods.includes(method)) continue;
      const match = layer.regexp.exec(path);
      if (match !== null) return { layer, placeholders: layer.params(path, match.slice(1)) };
    }
    return undefined;
  };
};

/** The first two parts of a path, and how many there are: `4/v1/orders`. */
const shapeOf = (path: string): string => {
  let parts = 0;
  let end = path.length;
  for (let place = path.indexOf('/'); place >= 0; place = path.indexOf('/', place + 1)) {
    parts += 1;
    if (parts === 3) end = place;
  }
  return `${parts}${path.slice(0, end)}`;
};
