const { TEST_NIGHT: night } = process.env;

/** Whether `TEST_NIGHT=1` asks for what takes too long for every change. */
export const isNight = night === '1';
