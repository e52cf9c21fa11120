// @ts-nocheck
import { createElement } from './page.ts';

/**
 * Copies a text, and tells what has happened to those who see the page and those who hear it. Where the browser offers no
 * clipboard (it does on HTTPS and on this machine only), the text is selected for Ctrl-C.
 * @param element that shows the text
 * @param what has been copied, as the message names it
 * @returns whether it was copied
 */
export const copyText = async (text, element, what) => {
  const isCopied = await writeClipboard(text);
  if (!isCopied) getSelection().selectAllChildren(element);
  announce(isCopied ? `${what} copied.` : `${what} selected. Press ${copyKeys} to copy.`);
  return isCopied;
};

const isMac = /Mac|iPhone|iPad/.test(navigator.platform);
const copyKeys = isMac ? '⌘C' : 'Ctrl+C';

const writeClipboard = async (text) => {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
};

const announcement = createElement('p', { className: 'announcement', role: 'status' });
document.body.append(announcement);

/** Screen readers read the message; it disappears after a while. */
const announce = (message) => {
  announcement.textContent = message;
  clearTimeout(announce.timer);
  announce.timer = setTimeout(() => announcement.replaceChildren(), 4_000);
};

const shownMs = 2_000;

/** Adds a Copy button to each frame of code that has none. It copies what the frame shows at that moment. */
export const addCopyButtons = (root = document) => {
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
      button.textContent = (await copyText(code.textContent.trimEnd(), code, name)) ? 'Copied' : 'Selected';
      setTimeout(() => button.replaceChildren('Copy'), shownMs);
    });
    bar?.append(button);
  }
};

/** What a frame shows, in words: `Shell`, or `Response 201 of Create an order`. */
const nameOf = (frame, bar) => {
  const section = frame.closest('.operation, .object')?.querySelector('h2')?.textContent;
  const title = (bar?.querySelector('legend') ? 'Request' : bar?.textContent.trim()) || 'Example';
  return section === undefined || title === section ? title : `${title} of “${section}”`;
};

/** The links of headings and fields also copy their address. */
export const copyHeadingLinks = () => {
  document.addEventListener('click', (event) => {
    const link = event.target.closest?.('.heading-link, .to-itself, .field-name');
    if (link && !event.ctrlKey && !event.metaKey && !event.shiftKey) copyText(link.href, link, 'Link');
  });
};
