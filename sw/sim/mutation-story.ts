// One seeded story of likes, follows and comments, with kills, cuts and changing people; at its end the server
// has the last value of each, each comment once and in its order, and every refused mutation is still listed.
import type { MutationJob } from '#device/jobs/job-rows.ts'
import { aboutOf, type Mutation } from '#contract/mutations/mutations.ts'
import { v5ish } from './ids.ts'
import { LATEST_MS } from './network/network.ts'
import type { Random } from '#contract/testing/random.ts'
import { inTab, signIn, runUntilDone, START } from './actions.ts'
import { createWorld, people } from './story.ts'
import { dropTasks } from './browser/tasks.ts'
import type { Faults, World } from './world.ts'

const FAULTS_MS = 60_000
const CALM_MS = 10 * 60_000

/** What a person pressed or wrote, in order. */
interface Done {
  person: string
  act: Mutation
  id: string
}

const like = (post: string, on: boolean): Mutation => ({
  name: on ? 'likePost' : 'unlikePost',
  params: { post_id: post },
})
const following = (user: string, on: boolean): Mutation => ({
  name: on ? 'follow' : 'unfollow',
  params: { user_id: user },
})

const posts = ['sunset', 'gone'].map(v5ish)
const idols = ['mei'].map(v5ish)

/** A person presses what the screen shows the other way, or what another tab does not show yet; or writes. */
function wish(random: Random, shown: Map<string, boolean>, person: string, n: number): Done {
  const id = v5ish(`act ${n}`)
  const what = random.pick(['like', 'like', 'follow', 'comment'] as const)
  if (what === 'comment') {
    const params = { post_id: random.pick(posts) }
    return { person, id, act: { name: 'addComment', params, body: { id, content: `comment ${n}` } } }
  }
  const of = (on: boolean) => (what === 'like' ? like(target, on) : following(target, on))
  const target = random.pick(what === 'like' ? posts : idols)
  const name = `${person} ${aboutOf(of(true))}`
  const on = random.chance(0.2) ? (shown.get(name) ?? false) : !(shown.get(name) ?? false)
  shown.set(name, on)
  return { person, id, act: of(on) }
}

/** Runs the story of one seed. Returns its violations: none without faults. */
export async function runMutationStory(seed: number, faults: Faults = {}): Promise<string[]> {
  const world = await createWorld(seed, faults, 'acts')
  const { random, timeline, browser } = world
  const shown = new Map<string, boolean>()
  const done: Done[] = []
  browser.openTab()
  void signIn(world, people[0]?.id ?? '')
  const moments = Array.from({ length: random.between(2, 12) }, () => random.between(0, FAULTS_MS))
  for (const [n, at] of moments.toSorted((a, b) => a - b).entries())
    timeline.after(at, () => void does(world, shown, done, n))
  trouble(world)
  await timeline.run(() => false, START + FAULTS_MS)
  await calm(world)
  // What was repeated comes at last, long after everything was answered.
  await timeline.run(() => false, timeline.now() + LATEST_MS)
  judge(world, done)
  for (const page of browser.pages) page.die()
  dropTasks()
  return world.inspector.violations
}

/** A person presses or writes something: it counts once the device has it. */
async function does(world: World, shown: Map<string, boolean>, done: Done[], n: number): Promise<void> {
  const { random, browser, timeline } = world
  const person = browser.disk.rows('session')[0]?.user.id
  if (person === undefined) return
  const it = wish(random, shown, person, n)
  const queued = await inTab(world, async (tab) => {
    await tab.product.queueMutation(person, { mutation: it.act, about: 'x', id: it.id }, timeline.now())
    return true
  })
  if (queued || browser.disk.rows('acts').some(({ id }) => id === it.id)) done.push(it)
  browser.say('deliver')
}

function trouble(world: World): void {
  const { random, timeline, network, server, browser } = world
  const cut = () => {
    network.online = false
    timeline.after(random.between(100, 20_000), () => {
      network.online = true
      browser.say('nudge')
    })
  }
  const troubles = [
    cut,
    cut,
    () => {
      if (browser.pages.length > 0) random.pick(browser.pages).die()
      if (browser.tabs.length === 0) browser.openTab()
    },
    () => server.revoke(browser.disk.rows('session')[0]?.token),
    () => void signIn(world, random.pick(people).id),
    () => void server.acts.deleted.add(posts[1] ?? ''),
  ]
  for (let i = random.between(0, 6); i > 0; i--)
    timeline.after(random.between(0, FAULTS_MS), () => random.pick(troubles)())
}

async function calm(world: World): Promise<void> {
  const { browser, timeline, network } = world
  Object.assign(network, { weather: 0, online: true, lies: [] })
  Object.assign(world, { killRate: 0, calm: true })
  Object.assign(browser.disk.faults, { aborts: 0, losses: 0 })
  if (browser.tabs.length === 0) browser.openTab()
  for (const { id } of [...people, ...people]) {
    await runUntilDone(world, () => signIn(world, id))
    browser.say('nudge')
    const over = () => browser.disk.rows('acts').every((it) => it.ownerId !== id || isRefused(it))
    await timeline.run(over, timeline.now() + CALM_MS)
  }
}

const isRefused = ({ stage }: MutationJob) => stage.is === 'failed'

function judge({ inspector, browser, server: { acts } }: World, done: readonly Done[]): void {
  const say = (violation: string) => void inspector.violations.push(violation)
  for (const it of browser.disk.rows('acts')) {
    if (!isRefused(it)) say(`6: an act never ended: ${JSON.stringify(it)}`)
    else if (it.form.mutation.params['post_id'] !== posts[1])
      say(`6: refused in vain: ${it.form.mutation.name}`)
  }
  const refused = new Set(browser.disk.rows('acts').map((it) => it.id))
  const wanted = new Map<string, boolean>()
  for (const { person, act } of done)
    if (act.name !== 'addComment')
      wanted.set(`${person} ${aboutOf(act)}`, act.name === 'likePost' || act.name === 'follow')
  for (const [name, on] of wanted)
    if (acts.on.has(name) !== on && !name.endsWith(`like post ${posts[1]}`))
      say(`1: ${name} is ${on ? 'off' : 'on'}`)
  const written = done.filter((it) => it.act.name === 'addComment')
  for (const { id, person } of written) {
    const times = acts.comments.filter((it) => it.id === id).length
    if (times > 1) say(`1: a comment is there ${times} times`)
    if (times === 0 && !refused.has(id)) say('6: a comment is lost')
    if (acts.comments.some((it) => it.id === id && it.author !== person)) say('5: somebody else wrote it')
  }
  for (const { id: person } of people)
    for (const post of posts) {
      const order = acts.comments.filter((it) => it.author === person && it.post === post)
      const asWritten = written.filter((it) => order.some((other) => other.id === it.id)).map((it) => it.id)
      if (order.map((it) => it.id).join() !== [...asWritten].join()) say('order: comments changed places')
    }
}
