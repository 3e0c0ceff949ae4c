// Schedules the disruptions of a story: faults of network, pages and device, actions of people.
import type { Job } from '#device/jobs/job-rows.ts'
import type { Draft } from '#device/database/schema.ts'
import type { PersonEvent } from '#sw/queue/events.ts'
import type { Page, Product } from './browser/page.ts'
import type { Program } from './browser/program.ts'
import { inTab, evictSite, signIn, duringSignOut, START, FAULTS_MS } from './actions.ts'
import { typedBy } from './scenarios.ts'
import type { World } from './world.ts'

/** Schedules random disruptions for the fault phase. @param next the product's next build */
export function scheduleDisruptions(world: World, next: Program<Product>): void {
  const { random, timeline } = world
  const disruptions = [...ofNetwork(world), ...ofPages(world), ...ofPeople(world), ...ofJobs(world)]
  // The person withdraws right after the add, since a duplicate of the add may still arrive.
  world.inspector.onPostAdded = (id) => {
    const isFrequent = world.faults.lateDuplicates || world.faults.refusedReleases
    if (world.isStable || !random.chance(isFrequent ? 0.5 : 0.08)) return
    const event = { type: 'cancelled', ...(random.chance(0.5) ? { keep: true as const } : {}) } as const
    timeline.after(random.between(0, 3000), () => void pressButton(world, id, event))
  }
  world.inspector.onJobAdded = (job) => afterSubmission(world, job)
  for (let i = random.between(0, 14); i > 0; i--) atRandomTime(world, () => random.pick(disruptions)())
  if (random.chance(0.15)) atRandomTime(world, () => newBuild(world, next))
  if (world.faults.signOutAfterUpgrade)
    timeline.after(random.between(0, 60_000), () => {
      newBuild(world, next)
      timeline.after(random.between(0, 2000), () => void signOut(world))
    })
  if (random.chance(0.1)) atRandomTime(world, () => powerCut(world))
  if (random.chance(0.04)) atRandomTime(world, () => evictUnderPages(world))
  if (random.chance(0.1))
    atRandomTime(world, () => {
      world.browser.disk.full = true
      timeline.after(random.between(100, 60_000), () => void (world.browser.disk.full = false))
    })
}

const atRandomTime = ({ random, timeline }: World, work: () => unknown) =>
  timeline.after(random.between(0, FAULTS_MS + START - timeline.now()), () => void work())

function ofNetwork({ network, server, timeline, random, browser }: World): (() => unknown)[] {
  return [
    () => {
      network.online = false
      timeline.after(random.between(100, 40_000), () => {
        network.online = true
        browser.postMessage('nudge')
      })
    },
    () => {
      server.full = true
      timeline.after(random.between(1000, 90_000), () => void (server.full = false))
    },
    () => browser.postMessage('nudge'),
  ]
}

function ofPages({ browser, random, timeline }: World): (() => unknown)[] {
  const closePage = (page: Page | undefined) => {
    page?.kill()
    if (browser.tabs.length === 0) timeline.after(random.between(10, 20_000), () => void browser.openTab())
  }
  return [
    () => closePage(browser.pages.length > 0 ? random.pick(browser.pages) : undefined),
    () => closePage(browser.worker),
    () => void browser.openTab(),
  ]
}

function ofPeople(world: World): (() => unknown)[] {
  const { browser, server, random } = world
  const session = () => browser.disk.rows('session')[0]
  return [
    // The session ends on the server.
    () => server.revoke(session()?.token),
    // The session is lost without a sign-out by the person.
    () => inTab(world, (tab) => duringSignOut(world, () => tab.product.clearSession())),
    () => random.chance(0.3) && signOut(world),
    () => signIn(world, random.pick(world.people).id),
    () => signIn(world, random.pick(world.people).id),
    () => exchangeToken(world, random.chance(0.5)),
    // A person opens the URL of another person's draft, types, and perhaps submits it.
    () => {
      const [draft] = browser.disk.rows('drafts')
      const other = world.people.find((it) => it.id !== draft?.ownerId)
      return draft && other && editForeignDraft(world, draft, other.id)
    },
  ]
}

function editForeignDraft(world: World, draft: Draft, ownerId: string): Promise<unknown> {
  const { timeline, random } = world
  const edited = { ...draft, ownerId, content: typedBy(ownerId) }
  return inTab(world, ({ product }) =>
    random.pick<() => Promise<unknown>>([
      () => product.changeDraft(edited, (it) => ({ ...it, content: edited.content }), timeline.now()),
      () => product.editDraft(draft, edited, timeline.now()),
      () => product.submitDraft({ ...edited, mediaIds: [] }, timeline.now()),
    ])(),
  )
}

/** Replaces the session's token by a new one, with or without the end of the old one on the server. */
async function exchangeToken(world: World, isEnded: boolean): Promise<void> {
  const { browser, server } = world
  const [session] = browser.disk.rows('session')
  if (!session) return
  const token = server.signIn(session.user.id)
  if (isEnded) server.revoke(session.token)
  await inTab(world, (tab) => tab.product.saveSession({ ...session, token }))
}

/** Signs the person out, which deletes that person's data except submitted jobs. */
function signOut(world: World): Promise<unknown> | undefined {
  const user = world.browser.disk.rows('session')[0]?.user
  return user && inTab(world, (tab) => duringSignOut(world, () => tab.product.purgePerson(user)))
}

/** Schedules an action right after a submission, by another tab that still shows the draft or by the person. */
function afterSubmission(world: World, { id, ownerId }: Job): void {
  const { random, timeline } = world
  if (world.isStable || !random.chance(0.3)) return
  const work = random.pick([
    () => inTab(world, ({ product }) => product.discardDraft(id, ownerId)),
    () => inTab(world, ({ product }) => product.beginPreupload(id, ownerId, timeline.now())),
    () => signOut(world),
    () => exchangeToken(world, true),
    () => exchangeToken(world, true),
  ])
  timeline.after(random.between(0, 2000), () => void work())
}

/** Applies the button press of a person to a job. */
export function pressButton(world: World, id: string, event: PersonEvent): Promise<unknown> {
  return inTab(world, async (tab) => {
    await tab.product.changeJob(id, (job) => tab.product.applyPersonEvent(job, event))
    world.browser.postMessage('deliver')
  })
}

function ofJobs(world: World): (() => unknown)[] {
  const { browser, random } = world
  const pressOnRandomJob = (event: PersonEvent) => {
    const jobs = browser.disk.rows('jobs')
    return jobs.length > 0 && pressButton(world, random.pick(jobs).id, event)
  }
  return [
    () => pressOnRandomJob({ type: 'paused' }),
    () => pressOnRandomJob({ type: 'resumed' }),
    () => pressOnRandomJob({ type: 'retried' }),
    () => random.chance(0.5) && pressOnRandomJob({ type: 'cancelled' }),
    () => random.chance(0.5) && pressOnRandomJob({ type: 'cancelled', keep: true }),
    () => browser.postMessage('deliver'),
  ]
}

/** Cuts the device's power: every page ends, and relaxed writes are lost. */
function powerCut({ browser, timeline, random }: World): void {
  for (const page of browser.pages) page.kill()
  browser.disk.powerCut()
  timeline.after(random.between(1000, 20_000), () => void browser.openTab())
}

/** Clears the site's data while pages are open. */
async function evictUnderPages(world: World): Promise<void> {
  const person = world.browser.disk.rows('session')[0]?.user.id
  evictSite(world)
  if (person && world.random.chance(0.5)) await signIn(world, person)
}

/** Starts a new version, which new tabs and the next worker run; old pages end later. */
function newBuild(world: World, next: Program<Product>): void {
  const { browser, timeline, random } = world
  const old = [...browser.pages]
  browser.program = next
  for (const page of old) {
    page.isOld = true
    if (page.kind === 'worker') {
      page.lifetime?.endEvents()
      timeline.after(random.between(0, 3000), () => page.kill())
    } else timeline.after(random.between(0, 60_000), () => page.kill())
  }
  browser.openTab()
}
