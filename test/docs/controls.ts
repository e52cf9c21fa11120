import type { Page } from 'playwright-core';

/** Roles of the accessibility tree that a person operates, so that each needs a name (WCAG 2.2, 4.1.2). */
const roles = new Set([
  ...['button', 'checkbox', 'combobox', 'link', 'listbox', 'menuitem', 'radio', 'searchbox'],
  ...['slider', 'spinbutton', 'switch', 'tab', 'textbox', 'DisclosureTriangle'],
]);

const outerHtml = 'function () { return this.outerHTML.slice(0, 200); }';

interface Controls {
  /** How many controls the page has. */
  readonly count: number;
  /** The HTML of those that a screen reader cannot name. */
  readonly unnamed: readonly string[];
}

/** Reads the controls of a page from Chromium's accessibility tree. */
export const readControls = async (page: Page): Promise<Controls> => {
  const session = await page.context().newCDPSession(page);
  const { nodes } = await session.send('Accessibility.getFullAXTree');
  const controls = nodes.filter(({ ignored, role }) => !ignored && roles.has(role?.value));
  const unnamed: string[] = [];
  for (const { name, role, backendDOMNodeId } of controls) {
    if (`${name?.value ?? ''}`.trim() !== '' || backendDOMNodeId === undefined) continue;
    const { object } = await session.send('DOM.resolveNode', { backendNodeId: backendDOMNodeId });
    const { result } = await session.send('Runtime.callFunctionOn', {
      objectId: object.objectId ?? '',
      functionDeclaration: outerHtml,
      returnByValue: true,
    });
    unnamed.push(`${role?.value}: ${result.value}`);
  }
  await session.detach();
  return { count: controls.length, unnamed };
};
