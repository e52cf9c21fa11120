/**
 * Tells whoever comes whether they are likely to be alone in this turn of the event loop: they are its first, and in the last
 * turn that anybody came in there was one only. Others would wait for its end, to share what costs the most; who is alone waits
 * for nobody.
 * @param endTurn is called at the end of each turn that anybody came in
 */
export const likelyAlone = (endTurn: () => void = () => undefined): (() => boolean) => {
  let came = 0;
  let wasAlone = false;
  const end = (): void => {
    wasAlone = came === 1;
    came = 0;
    endTurn();
  };
  return () => {
    if (came === 0) setImmediate(end);
    came += 1;
    return came === 1 && wasAlone;
  };
};
