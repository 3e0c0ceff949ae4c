// Says for a number of people which resource ends first, and what a month costs.
import { formulaRows, sizeRows, wallRows } from './tables.ts'

/** Sizes of a site in `docs/operate/capacity.md`. */
export const DOCUMENTED_SIZES = [10_000, 100_000, 1_000_000]

/** @param people for whom the needs are printed; by default three sizes of a site */
export async function benchCapacity(people?: number): Promise<void> {
  const print = (title: string, rows: readonly string[]) => console.log(`${title}\n\n${rows.join('\n')}\n`)
  print('formulas, with the measured costs (bench/capacity/measured.ts)', formulaRows())
  print(
    'at the busiest second (habits and prices are estimates: bench/capacity/model.ts)',
    sizeRows(people === undefined ? DOCUMENTED_SIZES : [people]),
  )
  print(
    'one machine with eight cores, a line of 1 Gbit/s and 4 TB: what ends, the first one first',
    wallRows(),
  )
}
