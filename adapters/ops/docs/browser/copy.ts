import { closest, createElement } from './page.ts';

/**
 * Copies a text, and announces the result to those who see the page and those with a screen reader. Where the browser offers no
 * clipboard (it does on HTTPS and on this machine only), the text is selected for Ctrl-C.
 * @param element that shows the text
 * @param what has been copied, as the message names it
 * @returns whether it was copied
 */
export const copyText = async (text: string, element: Element, what: string): Promise<boolean> => {
  const isCopied = await writeClipboard(text);
  if (!isCopied) getSelection()?.selectAllChildren(element);
  announce(isCopied ? `${what} copied.` : `${what} selected. Press ${copyKeys} to copy.`);
  return isCopied;
};

const isMac = /Mac|iPhone|iPad/.test(navigator.platform);
const copyKeys = isMac ? '⌘C' : 'Ctrl+C';

const writeClipboard = async (text: string): Promise<boolean> => {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
};

const announcement = createElement('p', { className: 'announcement', role: 'status' });
document.body.append(announcement);

let announcementTimer: ReturnType<typeof setTimeout> | undefined;

/** Screen readers read the message; it disappears after a while. */
const announce = (message: string): void => {
  announcement.textContent = message;
  clearTimeout(announcementTimer);
  announcementTimer = setTimeout(() => announcement.replaceChildren(), 4_000);
};

const shownMs = 2_000;

/** Adds a Copy button to each frame of code that has none. It copies what the frame shows at that moment. */
export const addCopyButtons = (root: ParentNode = document): void => {
  for (const frame of root.querySelectorAll('.block:not(:has(.copy)), .panel:not(:has(.copy))')) {
    const bar = frame.querySelector('.bar');
    const name = nameOf(frame, bar);
    const button = createElement(
      'button',
      { type: 'button', className: 'copy', ariaLabel: `Copy ${name}` },
      'Copy',
    );
    button.addEventListener('click', async () => {
      const code = [...frame.querySelectorAll('code')].find((each) => each.checkVisibility());
      if (code === undefined) return;
      button.textContent = (await copyText(textIn(code).trimEnd(), code, name)) ? 'Copied' : 'Selected';
      setTimeout(() => button.replaceChildren('Copy'), shownMs);
    });
    bar?.append(button);
  }
};

/** What a frame shows, in words: `Shell`, or `Response 201 of Create an order`. */
const nameOf = (frame: Element, bar: Element | null): string => {
  const section = frame.closest('.operation, .object')?.querySelector('h2')?.textContent;
  const title = (bar?.querySelector('legend') ? 'Request' : textIn(bar).trim()) || 'Example';
  return section === undefined || title === section ? title : `${title} of “${section}”`;
};

const textIn = (element: Element | null): string => element?.textContent ?? '';

/** The links of headings and fields also copy their address. */
export const copyHeadingLinks = (): void => {
  document.addEventListener('click', (event) => {
    const link = closest(event.target, '.heading-link, .to-itself, .field-name');
    if (link instanceof HTMLAnchorElement && !event.ctrlKey && !event.metaKey && !event.shiftKey)
      copyText(link.href, link, 'Link');
  });
};
