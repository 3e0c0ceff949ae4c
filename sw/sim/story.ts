// One seeded story: people, tabs, kills, full disks and a bad network, then calm; at its end every invariant is asked for.
import { doIn, signIn, soon, START, STORM_MS } from './acting.ts'
import { soundMutationRules } from './servers/mutation-server.ts'
import { Browser, type Line } from './browser/browser.ts'
import { full, type SimFile, small } from './browser/bytes.ts'
import { Disk, loadDatabase } from './browser/disk.ts'
import { v5ish } from './ids.ts'
import { Inspector } from './inspector.ts'
import { liesTold } from './network/lies.ts'
import { makeNetwork } from './network/network.ts'
import { plantOn } from './planted-network.ts'
import { type Change, programOf } from './browser/program.ts'
import { makeRandom } from '#contract/testing/random.ts'
import { SimServer, soundRules } from './servers/server.ts'
import { dropTasks, slowDisk } from './browser/tasks.ts'
import { makeTimeline } from './browser/timeline.ts'
import { scheduleTrouble } from './trouble.ts'
import { makeWishes, type Wish, write } from './wishes.ts'
import type { Faults, OtherServer, World } from './world.ts'

const { stackTraceLimit } = Error
const CALM_LIMIT_MS = 10 * 60_000
export const people = ['aoi', 'ren'].map((name) => ({ name, id: v5ish(name) }))

/** A MiB of few bytes: a story has as many chunks as a real upload, and little to hash. */
export const scaled: readonly Change[] = [
  { file: 'contract/limits.ts', find: 'MiB = 1024 * 1024', by: `MiB = ${small.MiB}` },
  { file: 'contract/limits.ts', find: 'LEGACY_CHUNK = 6_291_456', by: `LEGACY_CHUNK = ${small.legacyChunk}` },
]
/** The build after this one: it has a database version more. */
export const newer: Change = {
  file: 'device/database/database.ts',
  find: 'openDB<DeviceSchema>(NAME, migrations.length,',
  by: 'openDB<DeviceSchema>(NAME, migrations.length + 1,',
}

/** Tells the story of one seed. Gives the violations it found: none in a sound world. */
export async function tell(seed: number, faults: Faults = {}, other?: OtherServer): Promise<string[]> {
  // Errors are part of most stories; their stacks would take a tenth of the time.
  if (process.env['SEEDS'] !== '1') Error.stackTraceLimit = 0
  try {
    return await tellWhole(seed, faults, other)
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}

async function tellWhole(seed: number, faults: Faults, other: OtherServer | undefined): Promise<string[]> {
  const world = await makeWorld(seed, faults, 'uploads', other)
  const { random, timeline, browser } = world
  const next = await programOf([...(other ? [] : scaled), newer, ...(faults.changes ?? [])])
  browser.openTab()
  void signIn(world, world.people[0]?.id ?? '')
  const wishes = makeWishes(world)
  for (const wish of wishes) timeline.after(random.between(0, 20_000), () => void wants(world, wish))
  if (random.chance(0.5)) timeline.after(random.between(0, 5000), () => void browser.openTab())
  scheduleTrouble(world, next)
  try {
    await timeline.run(() => false, START + STORM_MS)
    await calm(world)
    await world.server.settle()
    world.inspector.final()
  } catch (error) {
    world.inspector.say(`6: the story has no end: ${String(error)}`)
  }
  for (const page of browser.pages) page.die()
  dropTasks()
  return world.inspector.violations
}

/** The world of a seed before anything happens in it. */
export async function makeWorld(
  seed: number,
  faults: Faults,
  line: Line = 'uploads',
  other?: OtherServer,
): Promise<World> {
  const random = makeRandom(seed)
  const timeline = makeTimeline(START)
  const rules = { ...soundRules, ...faults.rules }
  const real = await other?.open(timeline.now)
  const server = real ?? new SimServer(rules, timeline.now, { ...soundMutationRules, ...faults.actRules })
  const network = makeNetwork(server, timeline, random)
  const disk = new Disk(await loadDatabase(), random)
  const program = await programOf([...(other ? [] : scaled), ...(faults.changes ?? [])])
  const world: World = {
    seed,
    random,
    timeline,
    server,
    people: real?.people ?? people,
    scale: other ? full : small,
    heads: other?.heads,
    network,
    faults,
    killRate: random.pick([0, 0.001, 0.003, 0.01]),
    calm: false,
    picked: new Map<string, string[]>(),
    digests: new Set<string>(),
    kept: new Map<string, SimFile>(),
    copied: new Set<string>(),
    leaving: 0,
    // Both need the world they belong to.
    inspector: undefined as unknown as Inspector,
    browser: undefined as unknown as Browser,
  }
  world.inspector = new Inspector(world)
  world.browser = new Browser(world, disk, program, line, random.chance(0.7))
  network.weather = random.pick([0, 0.1, 0.3, 0.6])
  network.lies = faults.lies ?? liesTold(process.env['LIES'])
  network.lateTwins = faults.lateTwins ?? false
  network.onRequest = (_page, request) => world.inspector.request(request)
  network.onReply = (request, reply) => world.inspector.reply(request, reply)
  plantOn(network, faults, random)
  Object.assign(
    disk.faults,
    random.pick([
      { aborts: 0, losses: 0 },
      { aborts: 0.01, losses: 0.003 },
    ]),
  )
  const slow = faults.slowDisk ?? random.pick([0, 0.005, 0.02])
  slowDisk(() => slow > 0 && !world.calm && random.chance(slow))
  return world
}

/** A person writes a draft; who is interrupted before the end leaves it there. */
async function wants(world: World, wish: Wish): Promise<void> {
  if (world.browser.disk.rows('session')[0]?.user.id !== wish.owner) await signIn(world, wish.owner)
  await doIn(world, (tab) => write(world, tab, wish))
}

/** The weather clears; each person signs in, lets go on what was paused, and tries again what failed. */
async function calm(world: World): Promise<void> {
  const { browser, timeline, network, server } = world
  Object.assign(world, { killRate: 0, calm: true })
  Object.assign(network, { weather: 0, online: true, lies: [] })
  Object.assign(browser.disk.faults, { aborts: 0, losses: 0 })
  Object.assign(browser.disk, { full: false })
  server.full = false
  for (const tab of browser.tabs) if (tab.isOld) tab.die()
  if (browser.tabs.length === 0) browser.openTab()
  for (const person of [...world.people, ...world.people]) {
    const own = () =>
      [...browser.disk.rows('jobs'), ...browser.disk.rows('early')].filter((it) => it.ownerId === person.id)
    await soon(world, () => signIn(world, person.id))
    await soon(world, () => takeAgain(world))
    // The person comes back to the page: whatever failed stays failed until it is tried again.
    browser.say('nudge')
    await timeline.run(() => false, timeline.now() + 1000)
    for (const { id } of own())
      for (const type of ['resumed', 'retried'] as const)
        await soon(world, () =>
          doIn(world, (tab) => tab.product.changeFacts(id, (facts) => tab.product.apply(facts, { type }))),
        )
    browser.say('nudge')
    const ended = () =>
      own().every((it) =>
        it.form
          ? it.facts.ending.is === 'failed'
          : it.facts.media.every((file) => !file.discard && (file.done || file.failed)),
      )
    await timeline.run(ended, timeline.now() + CALM_LIMIT_MS)
  }
}

/** Files that found no room and whose page is gone are picked once more. */
async function takeAgain(world: World): Promise<void> {
  for (const { id, bytes } of world.browser.disk.rows('media')) {
    const file = bytes.is === 'picked' ? world.kept.get(id) : undefined
    if (file) await doIn(world, (tab) => tab.product.takeAgain(id, file as unknown as File))
  }
}
