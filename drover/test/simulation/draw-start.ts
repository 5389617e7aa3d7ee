/** Far more than are ever played, and short enough to read aloud. */
const MOST = 2 ** 31;

/** Where a run begins that nobody chose a place for. */
export const drawStart = (randomInt: (least: number, most: number) => number): number => randomInt(1, MOST);
