// How much of each resource a number of people needs, and which one ends first.
import { measured } from './measured.ts'

/** What people do. The defaults are estimates, not measurements: replace them by the figures of a running site. */
export interface Habits {
  /** Share of all people who open the app on a day, and of those at the same time at the busiest moment. */
  readonly activeShare: number
  readonly connectedShare: number
  /** Units of one active person on a day: pages of lists, posts with comments, writes of each kind, and files. */
  readonly page: number
  readonly post: number
  readonly like: number
  readonly comment: number
  readonly message: number
  readonly read: number
  readonly file: number
  /** Bytes of one file, mean of pictures and parts of videos. */
  readonly fileBytes: number
  /** Frames that a connected person receives in a second. */
  readonly frames: number
  /** Creators among all people, posts of one on a day, and the share with a video. */
  readonly creatorShare: number
  readonly postsOfCreator: number
  readonly videoShare: number
  /** Share of videos that browsers cannot play as they are. */
  readonly encodedShare: number
  /** Seconds and bytes of a video. */
  readonly videoSeconds: number
  readonly videoBytes: number
  /** The busiest second, in means of the day. */
  readonly peak: number
}

export const usualHabits: Habits = {
  activeShare: 0.3,
  connectedShare: 0.2,
  page: 20,
  post: 10,
  like: 4,
  comment: 1,
  message: 1.5,
  read: 1.5,
  file: 120,
  fileBytes: 250_000,
  frames: 0.05,
  creatorShare: 0.01,
  postsOfCreator: 0.5,
  videoShare: 0.3,
  encodedShare: 0.2,
  videoSeconds: 120,
  videoBytes: 120_000_000,
  peak: 4,
}

/** What an operator has, and for what share of it. */
export interface Machines {
  /** Cores of all servers, of PostgreSQL's primary and of all workers. */
  readonly serverCores: number
  readonly databaseCores: number
  readonly workerCores: number
  /** Memory of all servers, bytes. */
  readonly memory: number
  /** Bytes per second of the line, or of the CDN. */
  readonly line: number
  /** Bytes of the store. */
  readonly store: number
}

/** One machine with eight cores and a line of 1 Gbit/s, and a store of 4 TB that is to last a year. */
export const oneMachine: Machines = {
  serverCores: 3,
  databaseCores: 3,
  workerCores: 2,
  memory: 4e9,
  line: 125e6,
  store: 4e12,
}

/** Share of a resource above which waits grow. */
const USABLE = 0.6
const DAY = 86_400
const YEAR = 365
/** Bytes in the store for each byte of an original, with what is made of it. */
const MADE = 1.6

export const resources = [
  'cores of servers',
  'cores of PostgreSQL',
  'cores of workers',
  'memory of servers',
  'line',
  'store, one year',
] as const
export type Resource = (typeof resources)[number]

/** Needed at the busiest second: cores, bytes, bytes per second. */
export type Needs = Readonly<Record<Resource, number>>

/** Units of work that clients request, whose costs `npm run bench -- costs` measures. */
export const unitNames = ['page', 'post', 'like', 'comment', 'message', 'read', 'file'] as const
export type UnitName = (typeof unitNames)[number]

/** What the busiest second has; seconds and number of videos are means of the day. */
export type Rates = Readonly<
  Record<
    UnitName | 'frame' | 'uploadedMegabyte' | 'connection' | 'video' | 'videoSecond' | 'encodedSecond',
    number
  >
>

export function ratesOf(people: number, it: Habits): Rates {
  const active = people * it.activeShare
  const unit = (name: UnitName) => (active * it[name] * it.peak) / DAY
  const connection = active * it.connectedShare
  const video = (people * it.creatorShare * it.postsOfCreator * it.videoShare) / DAY
  return {
    page: unit('page'),
    post: unit('post'),
    like: unit('like'),
    comment: unit('comment'),
    message: unit('message'),
    read: unit('read'),
    file: unit('file'),
    connection,
    frame: connection * it.frames,
    uploadedMegabyte: (video * it.videoBytes * it.peak) / 1e6,
    video,
    videoSecond: video * it.videoSeconds,
    encodedSecond: video * it.videoSeconds * it.encodedShare,
  }
}

export function needsOf(people: number, it: Habits): Needs {
  const rates = ratesOf(people, it)
  const sum = (of: (name: UnitName) => number) =>
    unitNames.reduce((before, name) => before + rates[name] * of(name), 0)
  const msOfServers =
    measured.idle.server +
    sum((name) => measured[name].server + measured[name].proxy) +
    rates.frame * measured.frame.server +
    rates.uploadedMegabyte * measured.uploadedMegabyte.server
  const msOfDatabase = measured.idle.database + sum((name) => measured[name].database)
  // Videos may wait for the night: the mean of the day counts.
  const msOfWorkers =
    rates.video * measured.video.worker +
    rates.videoSecond * measured.videoSecond.steps +
    rates.encodedSecond * measured.videoSecond.encoded
  const { process, kernel } = measured.connection
  return {
    'cores of servers': msOfServers / 1000,
    'cores of PostgreSQL': msOfDatabase / 1000,
    'cores of workers': msOfWorkers / 1000,
    'memory of servers': measured.server + rates.connection * (process + kernel),
    line: rates.file * it.fileBytes + rates.uploadedMegabyte * 1e6,
    'store, one year': rates.video * it.videoBytes * MADE * YEAR * DAY,
  }
}

const capacityOf = (it: Machines): Needs => ({
  'cores of servers': it.serverCores * USABLE,
  'cores of PostgreSQL': it.databaseCores * USABLE,
  'cores of workers': it.workerCores,
  'memory of servers': it.memory,
  line: it.line * USABLE,
  'store, one year': it.store,
})

export interface Wall {
  readonly resource: Resource
  /** People with whom the resource ends. */
  readonly people: number
}

/** The walls of some machines, the first one first. */
export function wallsOf(machines: Machines, habits: Habits): readonly Wall[] {
  const [none, some] = [needsOf(0, habits), needsOf(1_000_000, habits)]
  const capacity = capacityOf(machines)
  return resources
    .map((resource) => {
      const each = (some[resource] - none[resource]) / 1_000_000
      return { resource, people: (capacity[resource] - none[resource]) / each }
    })
    .toSorted((a, b) => a.people - b.people)
}

/** Prices of a month in yen, without tax: estimates of 2026, to be replaced by those of the operator's provider. */
export const prices = { core: 3000, gigabyteOfMemory: 700, gigabyteStored: 3.5, gigabyteSent: 2 } as const

export interface Cost {
  readonly cores: number
  readonly memory: number
  readonly store: number
  readonly line: number
}

/** What a month costs in yen, with so much stored as a year brings. */
export function costOf(people: number, habits: Habits): Cost {
  const needs = needsOf(people, habits)
  const cores =
    (needs['cores of servers'] + needs['cores of PostgreSQL']) / USABLE + needs['cores of workers']
  const sentInMonth = (needs.line / habits.peak) * DAY * 30
  return {
    cores: cores * prices.core,
    memory: (needs['memory of servers'] / 1e9) * prices.gigabyteOfMemory,
    store: (needs['store, one year'] / 1e9) * prices.gigabyteStored,
    line: (sentInMonth / 1e9) * prices.gigabyteSent,
  }
}
