// Before anything is drawn: Swagger UI goes by a class, the page's own styles by the reader's preference itself.
const dark = matchMedia('(prefers-color-scheme: dark)');
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', follow);
follow();

// Where there is room, the contents stand open.
addEventListener('DOMContentLoaded', () => {
  document.querySelector('#contents').open = matchMedia('(min-width: 60.01rem)').matches;
});
