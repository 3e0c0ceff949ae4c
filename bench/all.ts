// `npm run bench -- all`: the benches that fit into half an hour.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { roundsSet, sizeSet } from './rounds/overrides.ts'

const BUDGET_MINUTES = 30

interface Part {
  /** What it takes on a machine with two cores and nothing else to do. */
  readonly minutes: number
  /** Its count (size, rounds, kills) where its default would take too long. */
  readonly count?: number
  /** Its count in a trial, where `SIZE` and `ROUNDS` do not make it short. */
  readonly trial?: number
}

/** In the order in which they run: what does not fit into the time that is left is left out, and named. */
const parts = {
  upload: { minutes: 8 },
  mobile: { minutes: 6 },
  memory: { minutes: 6 },
  resume: { minutes: 4 },
  media: { minutes: 1 },
  realtime: { minutes: 1, trial: 100 },
  kills: { minutes: 1, count: 10, trial: 1 },
  typing: { minutes: 1, count: 10, trial: 1 },
  offline: { minutes: 2, trial: 1 },
  scroll: { minutes: 2, trial: 100 },
  pages: { minutes: 3, trial: 1 },
} satisfies Record<string, Part>

/** Benches that `all` never runs, with the reason. */
const leftOut = {
  'upload-stores': 'needs an object store',
  'realtime-topics': 'sends 300,000 messages in its rounds',
  collection: 'needs a collection of files',
  replicas: 'needs a replica, and the data of feed',
  firefox: 'a lifetime of minutes',
  lifetimes: 'lifetimes of minutes each',
  feed: 'makes a million rows',
  folding: 'makes 100,000 posts and reads them all',
  'two-servers': 'makes the million rows of feed',
  audit: 'makes a million rows',
  cases: 'makes 360,000 rows',
  money: 'makes some hundred thousand rows',
  notices: 'makes 100,000 rows',
  messages: 'makes some hundred thousand rows',
  thread: 'makes the rows of messages',
  conversations: 'three rounds of minutes each',
  broadcast: 'delivers 40,000 messages',
  stoppers: 'compares with an old commit, whose requests take minutes',
  costs: 'measures every unit of work, on the data of feed',
  'costs-versions': 'compares two commits, on the data of feed',
  capacity: 'calculates, and measures nothing',
} satisfies Record<string, string>

/** Every bench by its name: either `all` runs it, or it has a reason why not. */
export type BenchName = keyof typeof parts | keyof typeof leftOut

/**
 * Runs one bench in a process of its own. What that leaves when it is stopped ends with the run.
 * @param timeout ms after which it is stopped
 * @returns how it ended
 */
async function runPart(words: readonly string[], timeout: number): Promise<string> {
  const program = join(import.meta.dirname, 'main.ts')
  const child = spawn(process.execPath, [program, ...words], { stdio: 'inherit', timeout })
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null]
  if (signal !== null) return child.killed ? 'stopped, since the half hour was over,' : `ended by ${signal}`
  return code === 0 ? 'done' : `failed with code ${code}`
}

/**
 * Runs the parts and saves their results. With `SIZE` or `ROUNDS` it is a trial, which saves nothing.
 * @returns whether every part that began ended well
 */
export async function benchAll(): Promise<boolean> {
  const isTrial = sizeSet() !== undefined || roundsSet() !== undefined
  const began = performance.now()
  const minutesGone = () => (performance.now() - began) / 60_000
  const report: string[] = []
  let isWell = true
  for (const [name, part] of Object.entries<Part>(parts)) {
    const left = BUDGET_MINUTES - minutesGone()
    const needed = isTrial ? 0 : part.minutes
    if (left <= needed) {
      report.push(`${name}: left out, its ${part.minutes} minutes did not fit`)
      continue
    }
    console.log(`\n── ${name}`)
    const from = minutesGone()
    const count = isTrial ? part.trial : part.count
    const word = count === undefined ? name : `${name}=${count}`
    const end = await runPart(isTrial ? [word] : [word, 'save'], Math.ceil(left * 60_000))
    if (end !== 'done') isWell = false
    report.push(`${name}: ${end} after ${(minutesGone() - from).toFixed(1)} minutes`)
  }
  console.log(`\n── all: ${minutesGone().toFixed(1)} minutes${isTrial ? ', a trial: nothing is saved' : ''}`)
  console.log(report.join('\n'))
  console.log(
    `never in all: ${Object.entries(leftOut)
      .map(([name, why]) => `${name} (${why})`)
      .join(', ')}`,
  )
  return isWell
}
