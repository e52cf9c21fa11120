import type { Page } from 'playwright-core';

/**
 * Where an element is, in pixels from the top of the window, once it has stayed there for ten frames: what is above the target of a
 * link is drawn only when it comes near.
 */
export const settledTop = (page: Page, selector: string): Promise<number> =>
  page.evaluate<number>(`new Promise((resolve) => {
    let [last, frames] = ['', 0];
    const look = () => {
      const { top } = document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect();
      const now = [top, document.documentElement.scrollHeight].join();
      frames = now === last ? frames + 1 : 0;
      last = now;
      if (frames === 10) resolve(top);
      else requestAnimationFrame(look);
    };
    look();
  })`);
