// Measures the processor time of many units, without that of an idle site.
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { HttpConnection } from '#bench/rig/load.ts'
import type { UnitName } from '#bench/capacity/model.ts'
import { type CostRig, type Times, timesOf, totalOf } from './rig.ts'
import type { Units } from './units.ts'

/** Parallel clients. */
const CLIENTS = 16
/** How long an idle site is measured, ms. */
const IDLE_MS = 6000
const POLL_MS = 200
const GIVE_UP_MS = 60_000

/** Jobs that run or are due: the work that writes leave behind. */
const DUE = `select count(*)::int as n from pgboss.job
  where state = 'active' or state < 'active' and start_after < now()`

async function untilJobsAreDone({ sql }: CostRig): Promise<void> {
  for (const end = performance.now() + GIVE_UP_MS; ;) {
    const { rows } = await sql.query<{ n: number }>(DUE)
    if (rows[0]?.n === 0) return
    if (performance.now() > end) throw new Error('jobs are still waiting')
    await sleep(POLL_MS)
  }
}

const difference = (a: Times, b: Times): Times => timesOf((part) => a[part] - b[part])

/** What an idle site takes, ms of processor in each second. */
export async function measureIdle(rig: CostRig): Promise<Times> {
  const [before, began] = [rig.times(), performance.now()]
  await sleep(IDLE_MS)
  const seconds = (performance.now() - began) / 1000
  const spent = difference(rig.times(), before)
  return timesOf((part) => (part === 'client' ? 0 : spent[part] / seconds))
}

/** Busy processor time of the whole machine since its start, ms. */
function busyMs(): number {
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, steal = 0] = (
    /^cpu +(.*)$/m.exec(readFileSync('/proc/stat', 'latin1'))?.[1] ?? ''
  )
    .split(' ')
    .map(Number)
  return (user + nice + system + irq + softirq + steal) * 10
}

export interface Measured {
  /** Of one unit, ms. */
  readonly each: Times
  /** Units in a second of the load, without the jobs after it. */
  readonly rate: number
  /** Cores that the load itself used, and those that other processes used. */
  readonly usedCores: number
  readonly otherCores: number
}

/** Sends units by parallel clients; a client sends the next one after a reply. */
async function sendAll({ nginx }: CostRig, units: Units, names: readonly UnitName[]): Promise<void> {
  let next = 0
  const client = async () => {
    const connection = new HttpConnection(nginx.url)
    for (let name = names[next++]; name !== undefined; name = names[next++])
      for (const request of units[name]()) {
        await connection.send(request).catch((error: unknown) => {
          throw new Error(`${name}, ${request.path}`, { cause: error })
        })
      }
    connection.close()
  }
  await Promise.all(Array.from({ length: CLIENTS }, client))
}

/**
 * Sends units, and waits until their jobs are done.
 * @param idle what an idle site takes, ms in each second
 */
export async function measureUnits(
  rig: CostRig,
  units: Units,
  names: readonly UnitName[],
  idle: Times,
): Promise<Measured> {
  const [before, busy, began] = [rig.times(), busyMs(), performance.now()]
  await sendAll(rig, units, names)
  const seconds = (performance.now() - began) / 1000
  const used = totalOf(difference(rig.times(), before))
  const other = busyMs() - busy - used
  await untilJobsAreDone(rig)
  const all = (performance.now() - began) / 1000
  const spent = difference(rig.times(), before)
  return {
    each: timesOf((part) => (spent[part] - idle[part] * all) / names.length),
    rate: names.length / seconds,
    usedCores: used / 1000 / seconds,
    otherCores: Math.max(0, other) / 1000 / seconds,
  }
}
