// One seeded story: people, tabs, kills and a bad network, then calm; at its end every invariant is asked for.
import { makeRunner, type Runner } from '#sw/upload/drain.ts'
import { apply } from '#sw/upload/machine.ts'
import { makePace } from '#sw/upload/pace.ts'
import { makeActs } from '#sw/upload/acts.ts'
import { byProtocol, makeChunked } from '#sw/upload/chunked.ts'
import { makeIdentity } from '#sw/upload/identity.ts'
import { makePublish } from '#sw/upload/publish.ts'
import { makeTus } from '#sw/upload/tus.ts'
import type { Job } from '#device/schema.ts'
import { chunksOf } from '#device/chunks.ts'
import { MiB } from '#contract/limits.ts'
import { changeMind, discard, pickFiles, SimDevice, submitJob, type Wish } from './device.ts'
import { v5ish } from './ids.ts'
import { soundActRules } from './act-server.ts'
import { Inspector } from './inspector.ts'
import { makeContextPorts } from './context.ts'
import { makeNetwork } from './network.ts'
import { makeRandom, type Random } from './random.ts'
import { SimServer, soundRules } from './server.ts'
import { makeTimeline } from './timeline.ts'
import { release, type Faults, type Life, type World } from './world.ts'

export const START = Date.parse('2026-03-05T03:00:00Z')
const STORM_MS = 4 * 60_000
const CALM_LIMIT_MS = 10 * 60_000
export const people = ['aoi', 'ren'].map((name) => ({ name, id: v5ish(name) }))

/** Tells the story of one seed. Gives the violations it found: none in a sound world. */
export async function tell(seed: number, faults: Faults = {}): Promise<string[]> {
  const world = makeWorld(seed, faults)
  signIn(world, people[0]?.id ?? '')
  const wishes = makeWishes(world.random)
  wishes.forEach((wish, i) =>
    world.timeline.after(world.random.between(0, 20_000), () => write(world, wish, i)),
  )
  startContext(world)
  if (world.random.chance(0.5)) world.timeline.after(world.random.between(0, 5000), () => startContext(world))
  scheduleTrouble(world)
  await world.timeline.run(() => false, START + STORM_MS)
  await calm(world)
  world.inspector.final(world, wishes.filter((it) => !it.discarded).length)
  return world.inspector.violations
}

/** The world of a seed before anything happens in it. */
export function makeWorld(seed: number, faults: Faults): World {
  const random = makeRandom(seed)
  const timeline = makeTimeline(START)
  const server = new SimServer({ ...soundRules, ...faults.rules }, timeline.now, {
    ...soundActRules,
    ...faults.actRules,
  })
  const device = new SimDevice()
  const network = makeNetwork(server, timeline, random)
  const world: World = {
    seed,
    random,
    timeline,
    server,
    device,
    network,
    inspector: new Inspector(),
    locks: { holder: undefined, queue: [] },
    faults,
    sent: new Map(),
    killRate: random.pick([0, 0.002, 0.01, 0.03]),
    contexts: [],
  }
  network.weather = random.pick([0, 0.1, 0.3, 0.6])
  network.onRequest = (request) => world.inspector.request(world, request)
  network.onReply = (request, reply) => world.inspector.reply(request, reply)
  return world
}

function makeWishes(random: Random): Wish[] {
  const posts = Array.from({ length: random.between(1, 3) }, (): Wish => {
    const kind = random.pick(['text', 'images', 'video', 'video'] as const)
    const sizes = {
      text: [],
      images: Array.from({ length: random.between(1, 3) }, () => random.between(1, 6 * MiB)),
      video: [random.between(1, 24 * MiB)],
    }[kind]
    const protocol = random.pick(['tus', 'chunked'] as const)
    const early = protocol === 'tus' && sizes.length > 0 && random.chance(0.5)
    return {
      owner: random.pick(people).id,
      sizes,
      video: kind === 'video',
      protocol,
      copying: random.chance(0.3),
      early,
      discarded: early && random.chance(0.15),
      identity: false,
    }
  })
  // One check at most is open at a time.
  return random.chance(0.4) ? [...posts, identityWish(random)] : posts
}

function identityWish(random: Random): Wish {
  return {
    owner: random.pick(people).id,
    sizes: [random.between(1, 6 * MiB), random.between(1, 6 * MiB), random.between(1, 12 * MiB)],
    video: false,
    protocol: 'tus',
    copying: false,
    early: false,
    discarded: false,
    identity: true,
  }
}

/** A draft is written and submitted, or given up, by its owner, who must be the one signed in. */
function write(world: World, wish: Wish, number: number): void {
  const { device, random, timeline } = world
  be(world, wish.owner)
  const media = pickFiles(device, wish, number, timeline.now())
  for (const { id } of media) if (wish.copying) copyOn(world, id)
  const end = () => {
    be(world, wish.owner)
    if (wish.discarded) discard(device, number)
    else submitJob(device, wish, number, timeline.now())
    wake(world)
  }
  wake(world)
  if (!wish.early) return end()
  const writing = random.between(100, 40_000)
  if (random.chance(0.4)) {
    const { undo } = changeMind(device, wish, number, timeline.now())
    timeline.after(random.between(0, writing - 1), () => {
      undo()
      wake(world)
    })
  }
  timeline.after(writing, end)
}

function be(world: World, person: string): void {
  if (world.device.session?.user.id !== person) signIn(world, person)
}

/** A page copies the next chunk, and the next, unless it dies. */
function copyOn(world: World, mediaId: string): void {
  const media = world.device.media.get(mediaId)
  const stored = world.device.chunks.get(mediaId)
  if (!media || stored === undefined) return
  if (stored >= chunksOf(media.size) || world.random.chance(0.01)) {
    world.device.copying.delete(mediaId)
    world.device.changed()
    return
  }
  world.device.chunks.set(mediaId, stored + 1)
  world.device.changed()
  world.timeline.after(world.random.between(5, 3000), () => copyOn(world, mediaId))
}

/** Somebody signs in on the device. */
export function signIn(world: World, person: string): void {
  const token = world.server.signIn(person)
  const user = { id: person, email: 'a@example.com', name: 'a', avatar_url: null, role: 'member' as const }
  world.device.session = { token, user }
  world.device.changed()
  wake(world)
}

function startContext(world: World): void {
  const life: Life = { alive: true }
  const { caller, ports } = makeContextPorts(world, life)
  const endpoint = 'https://todoke.test/upload-chunking-2'
  const api = 'https://todoke.test/api'
  const pace = makePace()
  const runner = makeRunner(
    {
      ...ports,
      api: byProtocol(makeTus({ ...caller, pace, endpoint }), makeChunked({ ...caller, api }), {
        ...makePublish({ ...caller, api }),
        ...makeIdentity({ ...caller, api }),
        ...makeActs({ ...caller, api }),
      }),
    },
    world.faults.machine,
  )
  life.die = () => {
    if (!life.alive) return
    life.alive = false
    world.contexts = world.contexts.filter((it) => it.life !== life)
    world.locks.queue = world.locks.queue.filter((it) => it.life !== life)
    if (world.locks.holder === life) release(world)
    world.timeline.after(world.random.between(10, 20_000), () => startContext(world))
  }
  world.device.onChange(() => life.alive && runner.wake())
  world.contexts.push({ life, runner })
  drain(world, runner, life)
}

function drain(world: World, runner: Runner, life: Life): void {
  runner.drain().catch((error: unknown) => life.alive && world.inspector.defect(error))
}

/** Something changed: every context looks. */
export function wake(world: World): void {
  for (const { life, runner } of world.contexts) drain(world, runner, life)
}

function nudge(world: World): void {
  for (const { runner } of world.contexts) void runner.nudge()
  wake(world)
}

function scheduleTrouble(world: World): void {
  const { random, timeline, device, network, server } = world
  const somebody = (): Job | undefined => {
    const jobs = [...device.jobs.values()]
    return jobs.length > 0 ? random.pick(jobs) : undefined
  }
  const troubles: (() => void)[] = [
    () => world.contexts.length > 0 && random.pick(world.contexts).life.die?.(),
    () => startContext(world),
    () => {
      network.online = false
      timeline.after(random.between(100, 40_000), () => {
        network.online = true
        nudge(world)
      })
    },
    () => {
      server.full = true
      timeline.after(random.between(1000, 90_000), () => {
        server.full = false
      })
    },
    () => server.tokens.delete(device.session?.token ?? ''),
    () => {
      device.session = undefined
      device.changed()
    },
    () => signIn(world, random.pick(people).id),
    () => signIn(world, random.pick(people).id),
    () => nudge(world),
    () => {
      const job = somebody()
      if (job) device.changeFacts(job.id, (facts) => apply(facts, { type: 'paused' }))
    },
    () => {
      const job = somebody()
      if (job) device.changeFacts(job.id, (facts) => apply(facts, { type: 'resumed' }))
    },
    () => {
      const job = random.chance(0.3) ? somebody() : undefined
      if (job) {
        const keep = random.chance(0.5) ? ({ keep: true } as const) : {}
        device.changeFacts(job.id, (facts) => apply(facts, { type: 'cancelled', ...keep }))
      }
    },
    () => wake(world),
  ]
  for (let i = random.between(0, 14); i > 0; i--) {
    timeline.after(random.between(0, STORM_MS), () => random.pick(troubles)())
  }
}

/** The weather clears; each person signs in, lets go on what was paused, and tries again what failed. */
async function calm(world: World): Promise<void> {
  const { device, timeline } = world
  world.network.weather = 0
  world.server.full = false
  world.network.online = true
  world.killRate = 0
  for (const person of [...people, ...people]) {
    signIn(world, person.id)
    const own = () => device.deliveries().filter((it) => it.ownerId === person.id)
    for (const job of own()) {
      device.changeFacts(job.id, (facts) => apply(facts, { type: 'resumed' }))
      device.changeFacts(job.id, (facts) => apply(facts, { type: 'retried' }))
    }
    nudge(world)
    const ended = () => own().every((job) => job.facts.ending.is === 'failed')
    await timeline.run(ended, timeline.now() + CALM_LIMIT_MS)
  }
}
