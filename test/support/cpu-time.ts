/** Processor time of an action in milliseconds. Other load on the machine does not count. */
export const cpuTimeOf = (act: () => void): number => {
  const before = process.cpuUsage();
  act();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
};
