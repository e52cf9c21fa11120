import { demoKeys } from './demo-keys.js';

const keys = await demoKeys();
const variables = { KEY: keys.customer, ADMIN: keys.admin };

for (const block of document.querySelectorAll('.guide pre')) {
  block.tabIndex = 0;
  const code = block.querySelector('code');
  if (!code.classList.contains('language-sh')) continue;
  code.textContent = code.textContent.replace(
    /^(KEY|ADMIN)=ptc_…/gm,
    (_line, name) => `${name}=${variables[name] ?? 'ptc_…'}`,
  );
  const button = Object.assign(document.createElement('button'), {
    type: 'button',
    className: 'copy',
    textContent: 'Copy',
  });
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(code.textContent);
    button.textContent = 'Copied';
    setTimeout(() => {
      button.textContent = 'Copy';
    }, 2_000);
  });
  const frame = Object.assign(document.createElement('div'), { className: 'block' });
  block.replaceWith(frame);
  frame.append(block, button);
}
