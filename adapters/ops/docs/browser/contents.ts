// A classic script in the head, so that the page is drawn once. In a wide window the contents start open.
addEventListener('DOMContentLoaded', () => {
  const contents = document.querySelector<HTMLDetailsElement>('#contents');
  if (contents !== null) contents.open = matchMedia('(min-width: 60.01rem)').matches;
});
