interface Surroundings {
  on(event: 'warning', then: (warning: Error) => void): unknown;
  off(event: 'warning', then: (...args: unknown[]) => void): unknown;
  // biome-ignore lint/complexity/noBannedTypes: so Node says it.
  listeners(event: 'warning'): Function[];
}

/** As many different warnings as are remembered, so that each is told once. */
const most = 1_000;

/**
 * Hands what Node, a driver or a library warns of to somebody in Node's place, who prints it for people. Whoever has asked
 * Node for silence, by `NODE_NO_WARNINGS`, keeps it.
 * @param tell is told of each once, however often it is said
 */
export const onNodeWarning = (surroundings: Surroundings, tell: (warning: Error) => void): void => {
  const usual = surroundings.listeners('warning').filter(({ name }) => name === 'onWarning');
  if (usual.length === 0) return;
  for (const listener of usual) surroundings.off('warning', listener as () => void);
  const told = new Set<string>();
  surroundings.on('warning', (warning) => {
    const said = `${warning.name}: ${warning.message}`;
    if (told.has(said)) return;
    if (told.size < most) told.add(said);
    tell(warning);
  });
};
