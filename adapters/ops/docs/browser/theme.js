// A classic script in the head, so that the page is never drawn in the wrong theme: Swagger UI needs a class for it, the
// page's own styles follow the reader's preference by themselves.
const dark = matchMedia('(prefers-color-scheme: dark)');
const applyTheme = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', applyTheme);
applyTheme();

// In a wide window the contents start open.
addEventListener('DOMContentLoaded', () => {
  document.querySelector('#contents').open = matchMedia('(min-width: 60.01rem)').matches;
});
