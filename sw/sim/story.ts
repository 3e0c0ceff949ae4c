// One seeded story: people, tabs, kills, full disks and a bad network, then calm; every invariant is checked at its end.
import { inTab, signIn, runUntilDone, START, FAULTS_MS } from './actions.ts'
import { soundMutationRules } from './servers/mutation-server.ts'
import { Browser, type QueueName } from './browser/browser.ts'
import { full, type SimFile, small } from './browser/bytes.ts'
import { Disk, loadDatabase } from './browser/disk.ts'
import { v5ish } from './ids.ts'
import { Inspector } from './inspector.ts'
import { selectLies } from './network/lies.ts'
import { createNetwork } from './network/network.ts'
import { plantNetworkFaults } from './planted-network.ts'
import { type Change, programOf } from './browser/program.ts'
import { createRandom } from '#contract/testing/random.ts'
import { SimServer, soundRules } from './servers/server.ts'
import { dropTasks, slowDisk } from './browser/tasks.ts'
import { createTimeline } from './browser/timeline.ts'
import { scheduleTrouble } from './trouble.ts'
import { createScenarios, type Scenario, playScenario } from './scenarios.ts'
import type { Faults, OtherServer, World } from './world.ts'

const { stackTraceLimit } = Error
const CALM_LIMIT_MS = 10 * 60_000
export const people = ['aoi', 'ren'].map((name) => ({ name, id: v5ish(name) }))

/** A MiB of few bytes: a story has as many chunks as a real upload, and little to hash. */
export const smallChunks: readonly Change[] = [
  { file: 'contract/limits.ts', find: 'MiB = 1024 * 1024', by: `MiB = ${small.MiB}` },
  { file: 'contract/limits.ts', find: 'LEGACY_CHUNK = 6_291_456', by: `LEGACY_CHUNK = ${small.legacyChunk}` },
]
/** The build after this one: it has a database version more. */
export const newerBuild: Change = {
  file: 'device/database/database.ts',
  find: 'openDB<DeviceSchema>(NAME, DATABASE_VERSION,',
  by: 'openDB<DeviceSchema>(NAME, DATABASE_VERSION + 1,',
}

/** Runs the story of one seed. Returns its violations: none without faults. */
export async function runStory(seed: number, faults: Faults = {}, other?: OtherServer): Promise<string[]> {
  // Errors are part of most stories; their stacks would take a tenth of the time.
  if (process.env['SEEDS'] !== '1') Error.stackTraceLimit = 0
  try {
    return await runWhole(seed, faults, other)
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}

async function runWhole(seed: number, faults: Faults, other: OtherServer | undefined): Promise<string[]> {
  const world = await createWorld(seed, faults, 'uploads', other)
  const { random, timeline, browser } = world
  const next = await programOf([...(other ? [] : smallChunks), newerBuild, ...(faults.changes ?? [])])
  browser.openTab()
  void signIn(world, world.people[0]?.id ?? '')
  const wishes = createScenarios(world)
  for (const wish of wishes) timeline.after(random.between(0, 20_000), () => void play(world, wish))
  if (random.chance(0.5)) timeline.after(random.between(0, 5000), () => void browser.openTab())
  scheduleTrouble(world, next)
  try {
    await timeline.run(() => false, START + FAULTS_MS)
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
export async function createWorld(
  seed: number,
  faults: Faults,
  line: QueueName = 'uploads',
  other?: OtherServer,
): Promise<World> {
  const random = createRandom(seed)
  const timeline = createTimeline(START)
  const rules = { ...soundRules, ...faults.rules }
  const real = await other?.open(timeline.now)
  const server =
    real ?? new SimServer(rules, timeline.now, { ...soundMutationRules, ...faults.mutationRules })
  const network = createNetwork(server, timeline, random)
  const disk = new Disk(await loadDatabase(), random)
  const program = await programOf([...(other ? [] : smallChunks), ...(faults.changes ?? [])])
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
    pageFiles: new Map<string, SimFile>(),
    copied: new Set<string>(),
    leaving: 0,
    // Both need the world they belong to.
    inspector: undefined as unknown as Inspector,
    browser: undefined as unknown as Browser,
  }
  world.inspector = new Inspector(world)
  world.browser = new Browser(world, disk, program, line, random.chance(0.7))
  network.weather = random.pick([0, 0.1, 0.3, 0.6])
  network.lies = faults.lies ?? selectLies(process.env['LIES'])
  network.lateTwins = faults.lateTwins ?? false
  network.onRequest = (_page, request) => world.inspector.request(request)
  network.onReply = (request, reply) => world.inspector.reply(request, reply)
  plantNetworkFaults(network, faults, random)
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
async function play(world: World, wish: Scenario): Promise<void> {
  if (world.browser.disk.rows('session')[0]?.user.id !== wish.owner) await signIn(world, wish.owner)
  await inTab(world, (tab) => playScenario(world, tab, wish))
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
    await runUntilDone(world, () => signIn(world, person.id))
    await runUntilDone(world, () => takeAgain(world))
    // The person comes back to the page: whatever failed stays failed until it is tried again.
    browser.say('nudge')
    await timeline.run(() => false, timeline.now() + 1000)
    for (const { id } of own())
      for (const type of ['resumed', 'retried'] as const)
        await runUntilDone(world, () =>
          inTab(world, (tab) =>
            tab.product.changeJob(id, (job) => tab.product.applyPersonEvent(job, { type })),
          ),
        )
    browser.say('nudge')
    const ended = () =>
      own().every((it) =>
        it.kind === 'preupload'
          ? it.files.every(({ state }) => state.is === 'sent' || state.is === 'failed')
          : it.stage.is === 'failed',
      )
    await timeline.run(ended, timeline.now() + CALM_LIMIT_MS)
  }
}

/** Files that found no room and whose page is gone are picked once more. */
async function takeAgain(world: World): Promise<void> {
  for (const { id, bytes } of world.browser.disk.rows('media')) {
    const file = bytes.is === 'picked' ? world.pageFiles.get(id) : undefined
    if (file) await inTab(world, (tab) => tab.product.holdAgain(id, file as unknown as File))
  }
}
