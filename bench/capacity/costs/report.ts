// Prints the costs of all rounds, and compares sums of them with measured loads.
import { availableParallelism } from 'node:os'
import { type UnitName, unitNames, usualHabits } from '#bench/capacity/model.ts'
import type { ConnectionMemory } from './connections.ts'
import type { Measured } from './measure.ts'
import { parts, type Times, timesOf, totalOf } from './rig.ts'
import { writes } from './units.ts'
import type { Videos } from './video.ts'

export interface Round {
  /** ms of processor in each second. */
  readonly idle: Times
  readonly units: ReadonlyMap<UnitName, Measured>
  /** Writes, and all units, in the habits' ratio. */
  readonly mixedWrites: Measured
  readonly mixed: Measured
  /** Proportional set size of the server after its requests, bytes. */
  readonly serverMemory: number
  /** ms of processor of one video; undefined without ffmpeg. */
  readonly video: { readonly short: number; readonly encoded: number; readonly long: number } | undefined
}

export interface Results {
  readonly rounds: readonly Round[]
  readonly videos: Videos | undefined
  /** ms of processor of the video that checks the sum. */
  readonly longer: number | undefined
  readonly connections: readonly ConnectionMemory[]
}

const median = (all: readonly number[]): number =>
  all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)] ?? Number.NaN

/** Minimum, median and maximum. */
export const spread = (all: readonly number[], digits: number): string =>
  [Math.min(...all), median(all), Math.max(...all)].map((it) => it.toFixed(digits)).join(', ')

const mediansOf = (all: readonly Times[]): Times => timesOf((part) => median(all.map((it) => it[part])))

/** A row of the table of `docs/operate/capacity.md`, with the clients in addition. */
function printTimes(name: string, all: readonly Times[], digits = 2): void {
  const cells = parts.map((part) => {
    const [least, middle, most] = spread(
      all.map((it) => it[part]),
      digits,
    ).split(', ')
    return `${least}, **${middle}**, ${most}`
  })
  console.log(`| ${name} | ${cells.join(' | ')} |`)
}

/** Costs of a mix, from those of its units. */
function sumOf(names: readonly UnitName[], costs: ReadonlyMap<UnitName, Times>): Times {
  const all = names.reduce((sum, name) => sum + usualHabits[name], 0)
  return timesOf((part) =>
    names.reduce((sum, name) => sum + (usualHabits[name] / all) * (costs.get(name)?.[part] ?? Number.NaN), 0),
  )
}

const percent = (computed: number, measured: number) =>
  `${(((computed - measured) / measured) * 100).toFixed(0)} %`

/** Prints pairs of a computed and a measured value, one for each round. */
function compare(
  what: string,
  pairs: readonly (readonly [computed: number, measured: number])[],
  digits: number,
): void {
  const [computed, measured] = [pairs.map(([it]) => it), pairs.map(([, it]) => it)]
  const more = pairs.map((it) => percent(...it)).join(', ')
  console.log(
    `  ${what}: computed ${spread(computed, digits)}; measured ${spread(measured, digits)}; computed is more by ${more}`,
  )
}

/** The parts that belong to the site. */
const ofSite = ['server', 'database', 'proxy'] as const

/** Compares the costs of units in a mixed load with those of the units alone, and how many a second can be served. */
function compareMix(what: string, computed: Times, measured: readonly Measured[]): void {
  for (const part of ofSite)
    compare(
      `${what}, ms of ${part} each`,
      measured.map((it) => [computed[part], it.each[part]]),
      3,
    )
  const siteOf = (times: Times) => totalOf(times) - times.client
  compare(
    `${what}, ms of all three`,
    measured.map((it) => [siteOf(computed), siteOf(it.each)]),
    3,
  )
  const freeOf = (it: Measured) => availableParallelism() - it.otherCores
  compare(
    `${what}, a second on the cores that other work leaves`,
    measured.map((it) => [(freeOf(it) * 1000) / (siteOf(computed) + it.each.client), it.rate]),
    0,
  )
  const cores = measured.map((it) => `${it.usedCores.toFixed(2)} and ${it.otherCores.toFixed(2)}`)
  console.log(`  ${what}, cores of the load with its clients and of other work: ${cores.join(', ')}`)
}

function reportVideos({ rounds, videos, longer }: Results): void {
  const all = rounds.flatMap((it) => it.video ?? [])
  if (!videos || longer === undefined) return console.log('\nffmpeg is not here: no video')
  const { short, encoded, long } = videos
  const fixed = all.map((it) => it.short)
  const steps = all.map((it) => (it.long - it.short) / long.seconds)
  const encoding = all.map((it) => (it.encoded - it.short) / encoded.seconds)
  console.log('\nvideos at 1080p30, ms of processor: min, median, max')
  console.log(`  a video of ${short.seconds} s, copied             ${spread(fixed, 0)}`)
  console.log(`  each second for the smaller steps     ${spread(steps, 0)}`)
  console.log(`  each second that is encoded           ${spread(encoding, 0)}`)
  const { seconds } = videos.longer
  compare(`a video of ${seconds} s, ms`, [[median(fixed) + median(steps) * seconds, longer]], 0)
}

/** Prints minimum, median and maximum of everything that was measured. */
export function report(results: Results): void {
  const { rounds, connections } = results
  console.log(`\nms of processor for one unit, ${rounds.length} interleaved rounds: min, median, max`)
  console.log(`| unit | ${parts.join(' | ')} |\n|---|${parts.map(() => '---|').join('')}`)
  const costs = new Map<UnitName, Times>()
  for (const name of unitNames) {
    const all = rounds.flatMap((it) => it.units.get(name)?.each ?? [])
    costs.set(name, mediansOf(all))
    printTimes(name, all)
  }
  printTimes(
    'writes',
    rounds.map((it) => it.mixedWrites.each),
  )
  printTimes(
    'everything',
    rounds.map((it) => it.mixed.each),
  )
  printTimes(
    'idle, in a second',
    rounds.map((it) => it.idle),
    1,
  )
  reportVideos(results)
  console.log('\nmemory, kB: min, median, max')
  for (const part of ['process', 'heap', 'kernel'] as const)
    console.log(
      `  a connection, ${part.padEnd(10)} ${spread(
        connections.map((it) => it[part] / 1000),
        1,
      )}`,
    )
  const servers = rounds.map((it) => it.serverMemory / 1000)
  console.log(`  the server after each round ${spread(servers, 0)}`)
  console.log('\nsums of the medians, and the same measured: min, median, max')
  compareMix(
    'writes',
    sumOf(writes, costs),
    rounds.map((it) => it.mixedWrites),
  )
  compareMix(
    'everything',
    sumOf(unitNames, costs),
    rounds.map((it) => it.mixed),
  )
  const pages = rounds.flatMap((it) => it.units.get('page') ?? [])
  compareMix('pages', costs.get('page') ?? sumOf(['page'], costs), pages)
}
