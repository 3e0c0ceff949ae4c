// One seeded story of likes, follows and comments, with kills, cuts and changing people.
// At its end the server has the last value of each like and follow, and each comment once and in its order. Refused
// mutations are still listed.
import type { MutationJob } from '#device/jobs/job-rows.ts'
import { aboutOf, type Mutation } from '#contract/mutations/mutations.ts'
import { uuidOf } from './uuid.ts'
import { MAX_LATE_MS } from './network/network.ts'
import type { Random } from '#contract/testing/random.ts'
import { inTab, signIn, runUntilDone, START } from './actions.ts'
import { createWorld, people } from './story.ts'
import { dropTasks } from './browser/tasks.ts'
import type { Faults, World } from './world.ts'

const FAULTS_MS = 60_000
const STABLE_MS = 10 * 60_000

/** A mutation that a person makes. */
interface Action {
  person: string
  mutation: Mutation
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

const posts = ['sunset', 'gone'].map(uuidOf)
const idols = ['mei'].map(uuidOf)

/** A random action: a press that toggles the shown value, the same press again as in a stale tab, or a comment. */
function nextAction(random: Random, shown: Map<string, boolean>, person: string, n: number): Action {
  const id = uuidOf(`act ${n}`)
  const kind = random.pick(['like', 'like', 'follow', 'comment'] as const)
  if (kind === 'comment') {
    const params = { post_id: random.pick(posts) }
    return { person, id, mutation: { name: 'addComment', params, body: { id, content: `comment ${n}` } } }
  }
  const mutationOf = (on: boolean) => (kind === 'like' ? like(target, on) : following(target, on))
  const target = random.pick(kind === 'like' ? posts : idols)
  const name = `${person} ${aboutOf(mutationOf(true))}`
  const on = random.chance(0.2) ? (shown.get(name) ?? false) : !(shown.get(name) ?? false)
  shown.set(name, on)
  return { person, id, mutation: mutationOf(on) }
}

/** Runs the story of one seed. Returns its violations: none without faults. */
export async function runMutationStory(seed: number, faults: Faults = {}): Promise<string[]> {
  const world = await createWorld(seed, faults, 'mutations')
  const { random, timeline, browser } = world
  const shown = new Map<string, boolean>()
  const actions: Action[] = []
  browser.openTab()
  void signIn(world, people[0]?.id ?? '')
  const moments = Array.from({ length: random.between(2, 12) }, () => random.between(0, FAULTS_MS))
  for (const [n, at] of moments.toSorted((a, b) => a - b).entries())
    timeline.after(at, () => void performAction(world, shown, actions, n))
  scheduleDisruptions(world)
  await timeline.run(() => false, START + FAULTS_MS)
  await stabilizeMutations(world)
  // Late duplicates arrive after every request was answered.
  await timeline.run(() => false, timeline.now() + MAX_LATE_MS)
  checkMutations(world, actions)
  for (const page of browser.pages) page.kill()
  dropTasks()
  return world.inspector.violations
}

/** Performs a random action of the signed-in person; it counts if the device has stored it. */
async function performAction(
  world: World,
  shown: Map<string, boolean>,
  actions: Action[],
  n: number,
): Promise<void> {
  const { random, browser, timeline } = world
  const person = browser.disk.rows('session')[0]?.user.id
  if (person === undefined) return
  const action = nextAction(random, shown, person, n)
  const queued = await inTab(world, async (tab) => {
    await tab.product.queueMutation(
      person,
      { mutation: action.mutation, about: 'x', id: action.id },
      timeline.now(),
    )
    return true
  })
  if (queued || browser.disk.rows('acts').some(({ id }) => id === action.id)) actions.push(action)
  browser.postMessage('deliver')
}

function scheduleDisruptions(world: World): void {
  const { random, timeline, network, server, browser } = world
  const cut = () => {
    network.online = false
    timeline.after(random.between(100, 20_000), () => {
      network.online = true
      browser.postMessage('nudge')
    })
  }
  const disruptions = [
    cut,
    cut,
    () => {
      if (browser.pages.length > 0) random.pick(browser.pages).kill()
      if (browser.tabs.length === 0) browser.openTab()
    },
    () => server.revoke(browser.disk.rows('session')[0]?.token),
    () => void signIn(world, random.pick(people).id),
    () => void server.mutations.deleted.add(posts[1] ?? ''),
  ]
  for (let i = random.between(0, 6); i > 0; i--)
    timeline.after(random.between(0, FAULTS_MS), () => random.pick(disruptions)())
}

export async function stabilizeMutations(world: World): Promise<void> {
  const { browser, timeline, network } = world
  Object.assign(network, { faultRate: 0, online: true, foreignReplies: [] })
  Object.assign(world, { killRate: 0, isStable: true })
  Object.assign(browser.disk.faults, { aborts: 0, losses: 0 })
  if (browser.tabs.length === 0) browser.openTab()
  for (const { id } of [...people, ...people]) {
    await runUntilDone(world, () => signIn(world, id))
    browser.postMessage('nudge')
    const isDone = () => browser.disk.rows('acts').every((it) => it.ownerId !== id || isRefused(it))
    await timeline.run(isDone, timeline.now() + STABLE_MS)
  }
}

const isRefused = ({ stage }: MutationJob) => stage.is === 'failed'

function checkMutations(
  { inspector, browser, server: { mutations } }: World,
  actions: readonly Action[],
): void {
  const report = (violation: string) => void inspector.violations.push(violation)
  for (const it of browser.disk.rows('acts')) {
    if (!isRefused(it)) report(`6: a mutation never ended: ${JSON.stringify(it)}`)
    else if (it.form.mutation.params['post_id'] !== posts[1])
      report(`6: refused without a reason: ${it.form.mutation.name}`)
  }
  const refused = new Set(browser.disk.rows('acts').map((it) => it.id))
  const expected = new Map<string, boolean>()
  for (const { person, mutation } of actions)
    if (mutation.name !== 'addComment')
      expected.set(
        `${person} ${aboutOf(mutation)}`,
        mutation.name === 'likePost' || mutation.name === 'follow',
      )
  for (const [name, on] of expected)
    if (mutations.on.has(name) !== on && !name.endsWith(`like post ${posts[1]}`))
      report(`1: ${name} is ${on ? 'off' : 'on'}`)
  const written = actions.filter((it) => it.mutation.name === 'addComment')
  for (const { id, person } of written) {
    const times = mutations.comments.filter((it) => it.id === id).length
    if (times > 1) report(`1: a comment is stored ${times} times`)
    if (times === 0 && !refused.has(id)) report('6: a comment is lost')
    if (mutations.comments.some((it) => it.id === id && it.author !== person))
      report('5: a comment has another author')
  }
  for (const { id: person } of people)
    for (const post of posts) {
      const order = mutations.comments.filter((it) => it.author === person && it.post === post)
      const asWritten = written.filter((it) => order.some((other) => other.id === it.id)).map((it) => it.id)
      if (order.map((it) => it.id).join() !== [...asWritten].join())
        report('order: comments are in another order')
    }
}
