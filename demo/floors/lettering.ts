/** Capitals and digits as strokes, so that a plan looks the same on a computer without fonts. */

/** Polylines on a grid of 4 by 6; the two digits of a point are its column and its row, from the lower left. */
const strokes: Readonly<Record<string, string>> = {
  A: '002640 1333',
  B: '00063645443303 3342413000',
  C: '4536160501103041',
  D: '00063645413000',
  E: '46060040 0333',
  F: '460600 0333',
  G: '45361605011030414323',
  H: '0006 4046 0343',
  I: '2026',
  J: '4641301001',
  K: '0006 4603 1340',
  L: '060040',
  M: '0006234640',
  N: '00064046',
  O: '103041453616050110',
  P: '00063645443303',
  Q: '103041453616050110 2240',
  R: '00063645443303 2340',
  S: '453616050413334241301001',
  T: '2026 0646',
  U: '060110304146',
  V: '062046',
  W: '0610233046',
  X: '0046 0640',
  Y: '062346 2320',
  Z: '06460040',
  0: '103041453616050110',
  1: '152620',
  2: '05163645440040',
  3: '051636454433 13334241301001',
  4: '30360242',
  5: '460603334241301001',
  6: '36160501103041423303',
  7: '064610',
  8: '130405163645443313 1302011030414233',
  9: '10304145361605041343',
};
const grid = { width: 4, height: 6, step: 5.5 };

/** Returns the width of a text of the given height. */
export const letteringWidth = (text: string, height: number): number =>
  ((text.length * grid.step - (grid.step - grid.width)) * height) / grid.height;

/** Returns the SVG path data of a text around a centre, with y pointing down. */
export function letteringPath(text: string, [x, y]: readonly [number, number], height: number): string {
  const unit = height / grid.height;
  const left = x - letteringWidth(text, height) / 2;
  return [...text]
    .flatMap((letter, index) =>
      (strokes[letter] ?? '').split(' ').map((line) =>
        [...line.matchAll(/../g)]
          .map(([[column = '', row = '']], nth) => {
            const corner = [
              left + (index * grid.step + Number(column)) * unit,
              y + (grid.height / 2 - Number(row)) * unit,
            ];
            return `${nth === 0 ? 'M' : 'L'}${corner.map((value) => value.toFixed(2)).join(' ')}`;
          })
          .join(''),
      ),
    )
    .join('');
}
