/* The views that a person has opened are entries of the browser's history. Each has a number, by which the page finds where it was
   scrolled to, and in which direction a person goes. */

const scrolled = new Map<number, number>();
let here = -1;
/** The scroll position of the view that is opened again, until it is long enough to be scrolled there. */
let wanted: number | undefined;
let onReturn: (() => void) | undefined;

history.scrollRestoration = 'manual';
for (const type of ['wheel', 'touchstart', 'keydown', 'pointerdown'])
  addEventListener(
    type,
    () => {
      wanted = undefined;
    },
    { passive: true },
  );

/** The number of the entry that the browser shows. A new entry gets the next one, and replaces all that were ahead. */
const numberOfEntry = (): number => {
  const known: number | undefined = history.state?.place;
  if (known !== undefined) return known;
  const place = here + 1;
  for (const ahead of [...scrolled.keys()].filter((other) => other >= place)) scrolled.delete(ahead);
  history.replaceState({ place }, '');
  return place;
};

/** Records that the view of this entry is opened. */
export const recordArrival = (): void => {
  here = numberOfEntry();
  wanted = scrolled.get(here);
  scrollTo(0, 0);
};

/** Restores the scroll position, which the view reaches once its data are there again. It stops when a person scrolls meanwhile. */
export const restoreScroll = (): void => {
  if (wanted === undefined) return;
  scrollTo(0, wanted);
  if (scrollY >= wanted - 1) wanted = undefined;
};

/**
 * Asks before unsaved changes are lost by another address. No page can stop that, so the address is restored until there is an answer.
 * @param mayLose asks; returns true when there is nothing to lose
 * @returns whether the view of the new address is to be opened
 */
export const confirmNavigation = async (
  hasUnsaved: () => boolean,
  mayLose: () => Promise<boolean>,
): Promise<boolean> => {
  if (onReturn !== undefined) {
    onReturn();
    onReturn = undefined;
    return false;
  }
  const there = numberOfEntry();
  if (!hasUnsaved()) {
    scrolled.set(here, scrollY);
    return true;
  }
  const returned = new Promise<void>((resolve) => {
    onReturn = resolve;
  });
  history.go(here - there);
  await returned;
  if (await mayLose()) history.go(there - here);
  return false;
};
