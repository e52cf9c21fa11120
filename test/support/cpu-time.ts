/** How much of a processor something takes, in milliseconds: what else the machine does makes it no longer. */
export const cpuTimeOf = (act: () => void): number => {
  const before = process.cpuUsage();
  act();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
};
