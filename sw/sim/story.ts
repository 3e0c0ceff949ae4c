// One seeded story of the upload queue, with checks of every invariant.
// A fault phase with people, tabs, kills, full disks and network faults is followed by a stable phase.
import { inTab, signIn, runUntilDone, START, FAULTS_MS } from './actions.ts'
import { correctMutationRules } from './servers/mutation-server.ts'
import { Browser, type QueueChoice } from './browser/browser.ts'
import { full, type SimFile, small } from './browser/bytes.ts'
import { Disk, loadDatabase } from './browser/disk.ts'
import { uuidOf } from './uuid.ts'
import { Inspector } from './inspector.ts'
import { selectForeignReplies } from './network/foreign-replies.ts'
import { createNetwork } from './network/network.ts'
import { plantNetworkFaults } from './planted-network.ts'
import { type Change, programOf } from './browser/program.ts'
import { createRandom } from '#contract/testing/random.ts'
import { SimServer, correctRules } from './servers/server.ts'
import { dropTasks, slowDisk } from './browser/tasks.ts'
import { createTimeline } from './browser/timeline.ts'
import { scheduleDisruptions } from './disruptions.ts'
import { createScenarios, type Scenario, playScenario } from './scenarios.ts'
import type { Faults, RealServerSource, World } from './world.ts'

const { stackTraceLimit } = Error
const STABLE_LIMIT_MS = 10 * 60_000
export const people = ['aoi', 'ren'].map((name) => ({ name, id: uuidOf(name) }))

/** A MiB of few bytes: a story has as many chunks as a real upload, and few bytes to hash. */
export const smallChunks: readonly Change[] = [
  { file: 'contract/limits.ts', find: 'MiB = 1024 * 1024', by: `MiB = ${small.MiB}` },
  { file: 'contract/limits.ts', find: 'LEGACY_CHUNK = 6_291_456', by: `LEGACY_CHUNK = ${small.legacyChunk}` },
]
/** The build after this one, whose database version is greater by one. */
export const newerBuild: Change = {
  file: 'device/database/database.ts',
  find: 'openDB<DeviceSchema>(NAME, DATABASE_VERSION,',
  by: 'openDB<DeviceSchema>(NAME, DATABASE_VERSION + 1,',
}

/** Runs the story of one seed. Returns its violations: none without faults. */
export async function runStory(
  seed: number,
  faults: Faults = {},
  realServer?: RealServerSource,
): Promise<string[]> {
  // Errors are part of most stories; their stacks would take a tenth of the time.
  if (process.env['SEEDS'] !== '1') Error.stackTraceLimit = 0
  try {
    return await runPhases(seed, faults, realServer)
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}

async function runPhases(
  seed: number,
  faults: Faults,
  realServer: RealServerSource | undefined,
): Promise<string[]> {
  const world = await createWorld(seed, faults, 'uploads', realServer)
  const { random, timeline, browser } = world
  const next = await programOf([...(realServer ? [] : smallChunks), newerBuild, ...(faults.changes ?? [])])
  browser.openTab()
  void signIn(world, world.people[0]?.id ?? '')
  const scenarios = createScenarios(world)
  for (const scenario of scenarios)
    timeline.after(random.between(0, 20_000), () => void runScenario(world, scenario))
  if (random.chance(0.5)) timeline.after(random.between(0, 5000), () => void browser.openTab())
  scheduleDisruptions(world, next)
  try {
    await timeline.run(() => false, START + FAULTS_MS)
    await stabilize(world)
    await world.server.loadFinalState()
    world.inspector.checkFinalState()
  } catch (error) {
    world.inspector.report(`6: the story does not end: ${String(error)}`)
  }
  for (const page of browser.pages) page.kill()
  dropTasks()
  return world.inspector.violations
}

/** The world of a seed before anything happens in it. */
export async function createWorld(
  seed: number,
  faults: Faults,
  queueName: QueueChoice = 'uploads',
  realServer?: RealServerSource,
): Promise<World> {
  const random = createRandom(seed)
  const timeline = createTimeline(START)
  // A quarter of the servers takes bytes in order only, as other servers do.
  const rules = { ...correctRules, takesParts: seed % 4 > 0, ...faults.rules }
  const real = await realServer?.open(timeline.now)
  const server =
    real ?? new SimServer(rules, timeline.now, { ...correctMutationRules, ...faults.mutationRules })
  const network = createNetwork(server, timeline, random)
  const disk = new Disk(await loadDatabase(), random)
  const program = await programOf([...(realServer ? [] : smallChunks), ...(faults.changes ?? [])])
  const world: World = {
    seed,
    random,
    timeline,
    server,
    people: real?.people ?? people,
    scale: realServer ? full : small,
    filePrefixes: realServer?.filePrefixes,
    network,
    faults,
    killRate: random.pick([0, 0.001, 0.003, 0.01]),
    isStable: false,
    picked: new Map<string, string[]>(),
    digests: new Set<string>(),
    pageHeldFiles: new Map<string, SimFile>(),
    copied: new Set<string>(),
    signOutsInProgress: 0,
    // Both need the world, and are set below.
    inspector: undefined as unknown as Inspector,
    browser: undefined as unknown as Browser,
  }
  world.inspector = new Inspector(world)
  world.browser = new Browser(world, disk, program, queueName, random.chance(0.7))
  network.faultRate = random.pick([0, 0.1, 0.3, 0.6])
  network.foreignReplies = faults.foreignReplies ?? selectForeignReplies(process.env['LIES'])
  network.lateDuplicates = faults.lateDuplicates ?? false
  network.refusedReleases = faults.refusedReleases ?? false
  network.onRequest = (_page, request) => world.inspector.onRequest(request)
  network.onReply = (request, reply) => world.inspector.onReply(request, reply)
  plantNetworkFaults(network, faults, random)
  Object.assign(
    disk.faults,
    random.pick([
      { aborts: 0, losses: 0 },
      { aborts: 0.01, losses: 0.003 },
    ]),
  )
  const pauseRate = faults.slowDisk ?? random.pick([0, 0.005, 0.02])
  slowDisk(() => pauseRate > 0 && !world.isStable && random.chance(pauseRate))
  return world
}

/** Runs the scenario of one person; an interrupted scenario leaves its draft. */
async function runScenario(world: World, scenario: Scenario): Promise<void> {
  if (world.browser.disk.rows('session')[0]?.user.id !== scenario.owner) await signIn(world, scenario.owner)
  await inTab(world, (tab) => playScenario(world, tab, scenario))
}

/** Ends all faults; then each person signs in, resumes paused files and retries failed jobs. */
export async function stabilize(world: World): Promise<void> {
  const { browser, timeline, network, server } = world
  Object.assign(world, { killRate: 0, isStable: true })
  Object.assign(network, { faultRate: 0, online: true, foreignReplies: [] })
  Object.assign(browser.disk.faults, { aborts: 0, losses: 0 })
  Object.assign(browser.disk, { full: false })
  server.full = false
  for (const tab of browser.tabs) if (tab.isOld) tab.kill()
  if (browser.tabs.length === 0) browser.openTab()
  // Each person returns three times: a sign-out of the fault phase may still end one visit, and a job whose file had other
  // bytes on the server a second time fails once more before it is sent again.
  for (const person of [...world.people, ...world.people, ...world.people]) {
    const own = () =>
      [...browser.disk.rows('jobs'), ...browser.disk.rows('early')].filter((it) => it.ownerId === person.id)
    await runUntilDone(world, () => signIn(world, person.id))
    await runUntilDone(world, () => pickFilesAgain(world))
    // The person returns to the page: failed jobs remain failed until they are retried.
    browser.postMessage('nudge')
    await timeline.run(() => false, timeline.now() + 1000)
    for (const { id } of own())
      for (const type of ['resumed', 'retried'] as const)
        await runUntilDone(world, () =>
          inTab(world, (tab) =>
            tab.product.changeJob(id, (job) => tab.product.applyPersonEvent(job, { type })),
          ),
        )
    browser.postMessage('nudge')
    const ended = () =>
      own().every((it) =>
        it.kind === 'preupload'
          ? it.files.every(({ state }) => state.is === 'sent' || state.is === 'failed')
          : it.stage.is === 'failed',
      )
    await timeline.run(ended, timeline.now() + STABLE_LIMIT_MS)
  }
}

/** Picks page-held files again whose page has ended. */
async function pickFilesAgain(world: World): Promise<void> {
  for (const { id, bytes } of world.browser.disk.rows('media')) {
    const file = bytes.is === 'picked' ? world.pageHeldFiles.get(id) : undefined
    if (file) await inTab(world, (tab) => tab.product.holdAgain(id, file as unknown as File))
  }
}
