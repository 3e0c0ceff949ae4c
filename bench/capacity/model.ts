// How much of each resource a number of people needs, and which one ends first.
import { measured } from './measured.ts'

/** What people do. The defaults are estimates, not measurements: replace them by the figures of a running site. */
export interface Habits {
  /** Share of all people who open the app on a day, and of those at the same time at the busiest moment. */
  readonly activeShare: number
  readonly connectedShare: number
  /** Requests of one active person on a day. */
  readonly pages: number
  readonly posts: number
  readonly writes: number
  readonly files: number
  /** Bytes of one file, mean of pictures and parts of videos. */
  readonly fileBytes: number
  /** Frames that a connected person receives in a second. */
  readonly frames: number
  /** Creators among all people, posts of one on a day, and the share with a video. */
  readonly creatorShare: number
  readonly postsOfCreator: number
  readonly videoShare: number
  /** Seconds and bytes of a video. */
  readonly videoSeconds: number
  readonly videoBytes: number
  /** The busiest second, in means of the day. */
  readonly peak: number
}

export const usualHabits: Habits = {
  activeShare: 0.3,
  connectedShare: 0.2,
  pages: 20,
  posts: 10,
  writes: 8,
  files: 120,
  fileBytes: 250_000,
  frames: 0.05,
  creatorShare: 0.01,
  postsOfCreator: 0.5,
  videoShare: 0.3,
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
/** Memory of a server without connections, bytes. */
const SERVER = 300e6

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

export function needsOf(people: number, it: Habits): Needs {
  const active = people * it.activeShare
  const perSecond = (requests: number) => (active * requests * it.peak) / DAY
  const rates = {
    page: perSecond(it.pages),
    post: perSecond(it.posts),
    write: perSecond(it.writes),
    file: perSecond(it.files),
  }
  const kinds = ['page', 'post', 'write', 'file'] as const
  const connections = active * it.connectedShare
  const videos = people * it.creatorShare * it.postsOfCreator * it.videoShare
  const uploaded = (videos * it.videoBytes) / DAY
  const msOfServers =
    kinds.reduce((sum, kind) => sum + rates[kind] * measured[kind].server, 0) +
    connections * it.frames * measured.frame.server +
    ((uploaded * it.peak) / 1e6) * measured.uploadedMegabyte.server
  const msOfDatabase = kinds.reduce((sum, kind) => sum + rates[kind] * measured[kind].database, 0)
  return {
    'cores of servers': msOfServers / 1000,
    'cores of PostgreSQL': msOfDatabase / 1000,
    // Videos may wait for the night: the mean of the day counts.
    'cores of workers': (videos * it.videoSeconds * measured.videoSecond.worker) / 1000 / DAY,
    'memory of servers': SERVER + connections * measured.connection,
    line: rates.file * it.fileBytes + uploaded * it.peak,
    'store, one year': videos * it.videoBytes * MADE * YEAR,
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
