/** The keys of the demonstration, by the names of whom they stand for. None where there is none, or for anybody else. */
export const demoKeys = async () => {
  const { keys: place } = document.body.dataset;
  if (place === undefined) return {};
  const response = await fetch(place);
  return response.ok ? response.json() : {};
};
