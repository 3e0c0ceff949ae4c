// Measures what each unit of the capacity model costs, on PostgreSQL and behind nginx.
import { loadavg } from 'node:os'
import { pssOf } from '#bench/rig/memory.ts'
import { type UnitName, unitNames } from '#bench/capacity/model.ts'
import { measureConnections } from './connections.ts'
import { mixOf } from './mix.ts'
import { type Measured, measureIdle, measureUnits } from './measure.ts'
import { type Results, type Round, report } from './report.ts'
import { type CostRig, openCostRig } from './rig.ts'
import { connectViewers } from './sockets.ts'
import { type Units, unitsOf, writes } from './units.ts'
import { makeVideos, measureVideo, type Videos } from './video.ts'

const ROUNDS = 3
/** Units of each kind in one round; a read mark needs a message that is sent before. */
const COUNTS: Readonly<Record<UnitName, number>> = {
  page: 1500,
  post: 1200,
  like: 1000,
  comment: 800,
  message: 640,
  read: 640,
  file: 3000,
}
const WRITES = 1000
/** Units of the mixed load, in the habits' ratio. */
const MIXED = 5000
/** Units of each kind before the first round, whose statements are planned and code compiled. */
const WARM_UP = 320

async function measureRound(rig: CostRig, units: Units, videos: Videos | undefined): Promise<Round> {
  const idle = await measureIdle(rig)
  const all = new Map<UnitName, Measured>()
  for (const name of unitNames)
    all.set(name, await measureUnits(rig, units, Array<UnitName>(COUNTS[name]).fill(name), idle))
  const mixedWrites = await measureUnits(rig, units, mixOf(writes, WRITES), idle)
  const mixed = await measureUnits(rig, units, mixOf(unitNames, MIXED), idle)
  return {
    idle,
    units: all,
    mixedWrites,
    mixed,
    serverMemory: pssOf(rig.product.pid),
    video: videos && {
      short: await measureVideo(rig, videos.short, idle),
      encoded: await measureVideo(rig, videos.encoded, idle),
      long: await measureVideo(rig, videos.long, idle),
    },
  }
}

async function measureAll(rig: CostRig, rounds: number): Promise<Results> {
  const videos = makeVideos(rig.folder)
  const units = await unitsOf(rig)
  const live = await connectViewers(rig)
  await rig.product.quiet()
  const idle = await measureIdle(rig)
  for (const name of unitNames) await measureUnits(rig, units, Array<UnitName>(WARM_UP).fill(name), idle)
  const all: Round[] = []
  for (let n = 1; n <= rounds; n++) {
    console.log(`round ${n} of ${rounds}, load ${loadavg()[0]?.toFixed(1)}`)
    all.push(await measureRound(rig, units, videos))
  }
  if (live.received('conversation.changed') < rounds * COUNTS.message)
    throw new Error('messages did not reach their live recipients')
  live.close()
  const longer = videos && (await measureVideo(rig, videos.longer, all.at(-1)?.idle ?? idle))
  const connections = await measureConnections(rig)
  return { rounds: all, videos, longer, connections }
}

/** @param rounds number of interleaved rounds */
export async function benchCosts(rounds = ROUNDS): Promise<void> {
  const began = performance.now()
  const rig = await openCostRig()
  if (!rig) return console.log("PostgreSQL's programs are not here")
  try {
    report(await measureAll(rig, rounds))
  } finally {
    await rig.close()
  }
  const minutes = (performance.now() - began) / 60_000
  console.log(
    `\n${minutes.toFixed(1)} minutes; load ${loadavg()
      .map((it) => it.toFixed(1))
      .join(', ')}`,
  )
}
