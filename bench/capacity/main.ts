// Says for a number of people which resource ends first, and what a month costs.
import { costOf, needsOf, oneMachine, type Resource, resources, usualHabits, wallsOf } from './model.ts'

const DEFAULT_PEOPLE = [10_000, 100_000, 1_000_000]

const formats: Readonly<Record<Resource, (value: number) => string>> = {
  'cores of servers': (it) => it.toFixed(1),
  'cores of PostgreSQL': (it) => it.toFixed(1),
  'cores of workers': (it) => it.toFixed(1),
  'memory of servers': (it) => `${(it / 1e9).toFixed(1)} GB`,
  line: (it) => `${((it * 8) / 1e9).toFixed(2)} Gbit/s`,
  'store, one year': (it) => `${(it / 1e12).toFixed(1)} TB`,
}

/** @param people for whom the needs are printed; by default three sizes of a site */
export async function benchCapacity(people?: number): Promise<void> {
  const sizes = people === undefined ? DEFAULT_PEOPLE : [people]
  console.log('at the busiest second (habits are estimates: bench/capacity/model.ts)\n')
  console.log(`${'people'.padEnd(22)}${sizes.map((it) => it.toLocaleString('en').padStart(16)).join('')}`)
  for (const it of resources)
    console.log(
      `${it.padEnd(22)}${sizes.map((size) => formats[it](needsOf(size, usualHabits)[it]).padStart(16)).join('')}`,
    )
  const costs = sizes.map((size) => costOf(size, usualHabits))
  for (const part of ['cores', 'memory', 'store', 'line'] as const)
    console.log(
      `${`¥ a month, ${part}`.padEnd(22)}${costs.map((it) => Math.round(it[part]).toLocaleString('en').padStart(16)).join('')}`,
    )
  console.log('\none machine with eight cores, a line of 1 Gbit/s and 4 TB: the walls, the first one first')
  for (const { resource, people: most } of wallsOf(oneMachine, usualHabits))
    console.log(`  ${Math.round(most).toLocaleString('en').padStart(12)} people   ${resource}`)
}
