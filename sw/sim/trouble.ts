// The faults of a story, and what people do during them.
import type { Job } from '#device/jobs/job-rows.ts'
import type { Draft } from '#device/database/schema.ts'
import type { PersonEvent } from '#sw/queue/events.ts'
import type { Page, Product } from './browser/page.ts'
import type { Program } from './browser/program.ts'
import { inTab, evictSite, signIn, duringSignOut, START, FAULTS_MS } from './actions.ts'
import { typedBy } from './scenarios.ts'
import type { World } from './world.ts'

/** @param next the product's next build */
export function scheduleTrouble(world: World, next: Program<Product>): void {
  const { random, timeline } = world
  const troubles = [...ofNetwork(world), ...ofPages(world), ...ofPeople(world), ...ofJobs(world)]
  // Right after the add is the moment for a withdrawal: a twin of the add may still be on its way.
  world.inspector.onPostAdded = (id) => {
    if (world.calm || !random.chance(world.faults.lateTwins ? 0.5 : 0.08)) return
    const event = { type: 'cancelled', ...(random.chance(0.5) ? { keep: true as const } : {}) } as const
    timeline.after(random.between(0, 3000), () => void tellJob(world, id, event))
  }
  world.inspector.onJobAdded = (job) => afterSubmission(world, job)
  for (let i = random.between(0, 14); i > 0; i--) at(world, () => random.pick(troubles)())
  if (random.chance(0.15)) at(world, () => newBuild(world, next))
  if (random.chance(0.1)) at(world, () => powerCut(world))
  if (random.chance(0.04)) at(world, () => evictUnder(world))
  if (random.chance(0.1))
    at(world, () => {
      world.browser.disk.full = true
      timeline.after(random.between(100, 60_000), () => void (world.browser.disk.full = false))
    })
}

const at = ({ random, timeline }: World, work: () => unknown) =>
  timeline.after(random.between(0, FAULTS_MS + START - timeline.now()), () => void work())

function ofNetwork({ network, server, timeline, random, browser }: World): (() => unknown)[] {
  return [
    () => {
      network.online = false
      timeline.after(random.between(100, 40_000), () => {
        network.online = true
        browser.say('nudge')
      })
    },
    () => {
      server.full = true
      timeline.after(random.between(1000, 90_000), () => void (server.full = false))
    },
    () => browser.say('nudge'),
  ]
}

function ofPages({ browser, random, timeline }: World): (() => unknown)[] {
  const close = (page: Page | undefined) => {
    page?.die()
    if (browser.tabs.length === 0) timeline.after(random.between(10, 20_000), () => void browser.openTab())
  }
  return [
    () => close(browser.pages.length > 0 ? random.pick(browser.pages) : undefined),
    () => close(browser.worker),
    () => void browser.openTab(),
  ]
}

function ofPeople(world: World): (() => unknown)[] {
  const { browser, server, random } = world
  const session = () => browser.disk.rows('session')[0]
  return [
    // The token ends from afar.
    () => server.revoke(session()?.token),
    // The session is lost without a sign-out by the person.
    () => inTab(world, (tab) => duringSignOut(world, () => tab.product.clearSession())),
    () => random.chance(0.3) && signOut(world),
    () => signIn(world, random.pick(world.people).id),
    () => signIn(world, random.pick(world.people).id),
    () => exchangeToken(world, random.chance(0.5)),
    // Another person opens the URL of a draft that is not theirs, types, and perhaps submits.
    () => {
      const [draft] = browser.disk.rows('drafts')
      const other = world.people.find((it) => it.id !== draft?.ownerId)
      return draft && other && intrude(world, draft, other.id)
    },
  ]
}

function intrude(world: World, draft: Draft, ownerId: string): Promise<unknown> {
  const { timeline, random } = world
  const mine = { ...draft, ownerId, content: typedBy(ownerId) }
  return inTab(world, ({ product }) =>
    random.pick<() => Promise<unknown>>([
      () => product.changeDraft(mine, (it) => ({ ...it, content: mine.content }), timeline.now()),
      () => product.editDraft(draft, mine, timeline.now()),
      () => product.submitDraft({ ...mine, mediaIds: [] }, timeline.now()),
    ])(),
  )
}

/** The token is exchanged: the new one is stored after, or long after, the old one has ended. */
async function exchangeToken(world: World, isEnded: boolean): Promise<void> {
  const { browser, server } = world
  const [now] = browser.disk.rows('session')
  if (!now) return
  const token = server.signIn(now.user.id)
  if (isEnded) server.revoke(now.token)
  await inTab(world, (tab) => tab.product.saveSession({ ...now, token }))
}

/** The person signs out: what is theirs goes, but for what was submitted. */
function signOut(world: World): Promise<unknown> | undefined {
  const user = world.browser.disk.rows('session')[0]?.user
  return user && inTab(world, (tab) => duringSignOut(world, () => tab.product.purgePerson(user)))
}

/** What happens right after a submission, by another tab that still shows the draft or by the person. */
function afterSubmission(world: World, { id, ownerId }: Job): void {
  const { random, timeline } = world
  if (world.calm || !random.chance(0.3)) return
  const work = random.pick([
    () => inTab(world, ({ product }) => product.discardDraft(id, ownerId)),
    () => inTab(world, ({ product }) => product.beginPreupload(id, ownerId, timeline.now())),
    () => signOut(world),
    () => exchangeToken(world, true),
    () => exchangeToken(world, true),
  ])
  timeline.after(random.between(0, 2000), () => void work())
}

/** The person presses a button of a job. */
function tellJob(world: World, id: string, event: PersonEvent): Promise<unknown> {
  return inTab(world, async (tab) => {
    await tab.product.changeJob(id, (job) => tab.product.applyPersonEvent(job, event))
    world.browser.say('deliver')
  })
}

function ofJobs(world: World): (() => unknown)[] {
  const { browser, random } = world
  const tellOne = (event: PersonEvent) => {
    const jobs = browser.disk.rows('jobs')
    return jobs.length > 0 && tellJob(world, random.pick(jobs).id, event)
  }
  return [
    () => tellOne({ type: 'paused' }),
    () => tellOne({ type: 'resumed' }),
    () => tellOne({ type: 'retried' }),
    () => random.chance(0.5) && tellOne({ type: 'cancelled' }),
    () => random.chance(0.5) && tellOne({ type: 'cancelled', keep: true }),
    () => browser.say('deliver'),
  ]
}

/** The device loses its power: every page is gone, and what was only written relaxed. */
function powerCut({ browser, timeline, random }: World): void {
  for (const page of browser.pages) page.die()
  browser.disk.powerCut()
  timeline.after(random.between(1000, 20_000), () => void browser.openTab())
}

/** The browser clears the site's data under the open pages. */
async function evictUnder(world: World): Promise<void> {
  const person = world.browser.disk.rows('session')[0]?.user.id
  evictSite(world)
  if (person && world.random.chance(0.5)) await signIn(world, person)
}

/** A new version takes over: its worker, then every new tab; old tabs live on for a while. */
function newBuild(world: World, next: Program<Product>): void {
  const { browser, timeline, random } = world
  const old = [...browser.pages]
  browser.program = next
  for (const page of old) {
    page.isOld = true
    if (page.kind === 'worker') {
      page.lifetime?.stepAside()
      timeline.after(random.between(0, 3000), () => page.die())
    } else timeline.after(random.between(0, 60_000), () => page.die())
  }
  browser.openTab()
}
