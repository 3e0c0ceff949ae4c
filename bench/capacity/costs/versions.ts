// Compares the costs of reading units on the servers of two commits, loaded in turns.
import { loadavg } from 'node:os'
import { checkOut } from '#bench/rig/servers/earlier-tree.ts'
import { type Measured, measureIdle, measureUnits } from './measure.ts'
import { spread } from './report.ts'
import { type CostRig, openCostRig, parts } from './rig.ts'
import { type Units, unitsOf } from './units.ts'

/** The last commit before a check of a file was one prepared statement, by default. */
const BASE = process.env['COSTS_BASE'] ?? 'f55b6f33'
const ROUNDS = 6
/** Units of one kind for one server in one round. */
const COUNT = 1200
const WARM_UP = 320
/** Writes are left out: their live events have no recipients on the second server. */
const names = ['file', 'post', 'page'] as const

interface Pair {
  readonly before: Measured
  readonly after: Measured
}

interface Sites {
  readonly earlier: CostRig
  readonly rig: CostRig
  readonly units: Units
}

/** Measures each unit on both servers. @param isReversed whether the later version is loaded first */
async function measureRound({ earlier, rig, units }: Sites, isReversed: boolean): Promise<Map<string, Pair>> {
  const idle = { earlier: await measureIdle(earlier), rig: await measureIdle(rig) }
  const pairs = new Map<string, Pair>()
  for (const name of names) {
    const load = Array<keyof Units>(COUNT).fill(name)
    const early = () => measureUnits(earlier, units, load, idle.earlier)
    const late = () => measureUnits(rig, units, load, idle.rig)
    const first = await (isReversed ? late : early)()
    const second = await (isReversed ? early : late)()
    pairs.set(name, isReversed ? { before: second, after: first } : { before: first, after: second })
  }
  return pairs
}

function print(name: string, pairs: readonly Pair[]): void {
  for (const part of parts) {
    const [before, after] = [pairs.map((it) => it.before.each[part]), pairs.map((it) => it.after.each[part])]
    const ratios = after.map((it, n) => it / (before[n] ?? Number.NaN))
    console.log(
      `  ${name}, ${part}: before ${spread(before, 2)} ms; after ${spread(after, 2)}; ratio ${spread(ratios, 2)}`,
    )
  }
}

/** @param rounds number of interleaved rounds */
export async function benchVersions(rounds = ROUNDS): Promise<void> {
  const rig = await openCostRig()
  if (!rig) return console.log("PostgreSQL's programs are not here")
  const tree = checkOut(BASE)
  try {
    const earlier = await rig.openSite(tree.folder)
    const units = await unitsOf(rig)
    const all: Map<string, Pair>[] = []
    for (const it of [earlier, rig]) {
      await it.product.quiet()
      const idle = await measureIdle(it)
      for (const name of names) await measureUnits(it, units, Array<keyof Units>(WARM_UP).fill(name), idle)
    }
    console.log(`${BASE} and this tree; minimum, median and maximum of ${rounds} rounds`)
    for (let n = 1; n <= rounds; n++) {
      console.log(`round ${n} of ${rounds}, load ${loadavg()[0]?.toFixed(1)}`)
      all.push(await measureRound({ earlier, rig, units }, n % 2 === 0))
    }
    for (const name of names)
      print(
        name,
        all.flatMap((it) => it.get(name) ?? []),
      )
  } finally {
    await rig.close()
    tree.remove()
  }
}
