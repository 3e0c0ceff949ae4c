// One seeded story of two people who write texts and send files to each other.
// At its end the server has each message once, with exactly the picked files in their order, and the texts of one person in
// the order in which they were written. Cancelled and refused messages are not among them.
import type { Media } from '#device/database/schema.ts'
import type { MessageWords } from '#device/jobs/message.ts'
import { inTab, signIn, START } from './actions.ts'
import { digestOf, type SimFile } from './browser/bytes.ts'
import type { Page } from './browser/page.ts'
import { programOf } from './browser/program.ts'
import { dropTasks } from './browser/tasks.ts'
import { pressButton, scheduleDisruptions } from './disruptions.ts'
import { checkMessages, type WrittenMessages } from './message-state.ts'
import { stabilizeMutations } from './mutation-story.ts'
import { MAX_LATE_MS } from './network/network.ts'
import { fileOf, pause } from './scenarios.ts'
import { createWorld, newerBuild, people, smallChunks, stabilize } from './story.ts'
import { uuidOf } from './uuid.ts'
import type { Faults, World } from './world.ts'

/** Faults begin with the story and end after this time, ms. */
const FAULTS_MS = 2 * 60_000

interface Story extends WrittenMessages {
  readonly world: World
  /** The last text of each person: one is written after the other. */
  readonly typing: Map<string, Promise<unknown>>
  /** The files on screen at each press, by their draft. */
  readonly pressed: Map<string, string[]>
  /** Number of picked files. */
  picks: number
}

/** A person who writes, and to whom. */
interface Writer {
  readonly ownerId: string
  readonly recipientId: string
}

/** Runs the story of one seed. Returns its violations: none without faults. */
export async function runMessageStory(seed: number, faults: Faults = {}): Promise<string[]> {
  const world = await createWorld(seed, faults, 'both')
  const { random, timeline, browser, inspector } = world
  const next = await programOf([...smallChunks, newerBuild, ...(faults.changes ?? [])])
  const story: Story = {
    world,
    texts: [],
    submitted: new Map(),
    picked: new Map(),
    typing: new Map(),
    pressed: new Map(),
    picks: 0,
  }
  watchSubmissions(story)
  browser.openTab()
  void signIn(world, people[0]?.id ?? '')
  const moments = Array.from({ length: random.between(2, 9) }, () => random.between(0, FAULTS_MS / 2))
  for (const [n, at] of moments.toSorted((a, b) => a - b).entries())
    timeline.after(at, () => void write(story, n))
  scheduleDisruptions(world, next)
  for (let i = random.between(0, 2); i > 0; i--)
    timeline.after(random.between(0, FAULTS_MS), () => blockForAWhile(world))
  try {
    await timeline.run(() => false, START + FAULTS_MS)
    world.server.messages.blocks.clear()
    await stabilize(world)
    await stabilizeMutations(world)
    // Late duplicates arrive after every request was answered.
    await timeline.run(() => false, timeline.now() + MAX_LATE_MS)
    inspector.checkFinalState()
    checkMessages(world, story)
  } catch (error) {
    inspector.report(`6: the story does not end: ${String(error)}`)
  }
  for (const page of browser.pages) page.kill()
  dropTasks()
  return inspector.violations
}

/**
 * Compares each submitted message with the picked files of its draft. Some are cancelled when their request is sent, which
 * has to come too late.
 */
function watchSubmissions({ world, submitted, picked, pressed }: Story): void {
  const { inspector, random, timeline } = world
  inspector.onMessageRequested = (id) => {
    if (!world.isStable && random.chance(0.2))
      timeline.after(random.between(0, 600), () => void pressButton(world, id, { type: 'cancelled' }))
  }
  const drafts = new Map<string, readonly string[]>()
  inspector.onMessageDrafts = (rows) => {
    for (const { id, mediaIds } of rows) drafts.set(id, mediaIds)
  }
  inspector.onMessageAdded = (job) => {
    const ids = job.files.map((it) => it.id)
    if (ids.join() !== drafts.get(job.id)?.join())
      inspector.report('2: a message was submitted with other files than were picked')
    if (!pressed.get(job.id)?.includes(ids.join()))
      inspector.report('2: a message was submitted with other files than were on screen')
    if (ids.some((id) => picked.get(id)?.between !== `${job.ownerId} ${job.form.recipientId}`))
      inspector.report('2: a message was submitted with files of another conversation')
    submitted.set(job.id, structuredClone(job))
  }
}

/** A random person writes a text or sends files to the other one. */
async function write(story: Story, n: number): Promise<void> {
  const { world } = story
  const { random, browser } = world
  const [one, other] = random.chance(0.5) ? people : people.toReversed()
  if (!one || !other) throw new Error('a story has two people')
  const writer = { ownerId: one.id, recipientId: other.id }
  if (browser.disk.rows('session')[0]?.user.id !== one.id) await signIn(world, one.id)
  if (random.chance(0.5)) return inTurn(story, writer, () => writeText(story, writer, n))
  await inTab(world, (tab) => sendFiles(story, tab, writer, n))
}

function inTurn({ typing }: Story, { ownerId }: Writer, work: () => Promise<void>): Promise<void> {
  const next = (typing.get(ownerId) ?? Promise.resolve()).then(work)
  typing.set(ownerId, next)
  return next
}

/** Writes a text; it counts if the device has stored it. */
async function writeText(
  { world, texts }: Story,
  { ownerId, recipientId }: Writer,
  n: number,
): Promise<void> {
  const { browser, timeline, server } = world
  const id = uuidOf(`text ${n}`)
  const body = { id, content: `text ${n}`, reply_to: null }
  const mutation = { name: 'sendMessage', params: { user_id: recipientId }, body } as const
  const isQueued = await inTab(world, async (tab) => {
    await tab.product.queueMutation(ownerId, { mutation, about: 'x', id }, timeline.now())
    return true
  })
  const isStored = browser.disk.rows('acts').some((it) => it.id === id) || server.messages.has(id)
  if (isQueued || isStored) texts.push({ id, ownerId, recipientId, content: body.content })
  browser.postMessage('deliver')
}

/** Picks files, removes some of them again, and sends the rest with or without a text. */
async function sendFiles(story: Story, tab: Page, writer: Writer, n: number): Promise<void> {
  const { world } = story
  const { random, browser } = world
  const { product } = tab
  for (let left = random.between(1, 3); left > 0; left--) await pick(story, tab, writer)
  await pause(world, tab, 0, 4000)
  const draft = () => browser.disk.rows('messageDrafts').find((it) => it.ownerId === writer.ownerId)
  const [first] = draft()?.mediaIds ?? []
  const { id } = draft() ?? {}
  if (id !== undefined && first !== undefined && random.chance(0.2))
    await product.removeMessageFile(id, first)
  const words = { content: random.chance(0.5) ? `files ${n}` : '', replyTo: null, about: 'x' }
  const submit = (page: Page) => pressSend(story, page, writer, words)
  const end = await submit(tab)
  // A file whose copying a closed page has interrupted has to be removed.
  if (end.is === 'incomplete') {
    for (const it of browser.disk.rows('media'))
      if (it.draftId === draft()?.id && it.bytes.is === 'copying')
        await product.removeMessageFile(it.draftId, it.id)
    await submit(tab)
  }
  if (end.is === 'changed') await submit(tab)
  browser.postMessage('deliver')
  if (random.chance(0.2)) await submit(browser.anyTab())
}

/** Submits the files that a tab shows. @returns `empty` when it shows none, so that only a text could be sent */
async function pressSend(
  { world, pressed }: Story,
  { product }: Page,
  writer: Writer,
  words: MessageWords,
): Promise<{ is: string }> {
  const { random, browser, timeline } = world
  const shown = (await product.readMessageDraft(writer))?.media ?? []
  const [first] = shown
  if (!first) return { is: 'empty' }
  // Another tab removes a file before this one shows that.
  if (random.chance(0.1)) await browser.anyTab().product.removeMessageFile(first.draftId, first.id)
  const ids = shown.map((it) => it.id).join()
  pressed.set(first.draftId, [...(pressed.get(first.draftId) ?? []), ids])
  return product.submitMessageDraft(writer, words, shown, timeline.now())
}

async function pick(story: Story, tab: Page, { ownerId, recipientId }: Writer): Promise<void> {
  const { world, picked } = story
  const { random, timeline, scale } = world
  const { product } = tab
  const isVideo = random.chance(0.3)
  const file: SimFile = fileOf(world, random.between(1, (isVideo ? 12 : 4) * scale.MiB), isVideo)
  const { id: draftId } = await product.openMessageDraft({ ownerId, recipientId }, timeline.now())
  const media: Media = {
    id: uuidOf(`file ${++story.picks}`),
    draftId,
    ownerId,
    role: 'media',
    kind: isVideo ? 'video' : 'image',
    name: file.name,
    mime: file.type,
    size: file.size,
    duration: null,
    alt: '',
    bytes: { is: 'copying', stored: 0 },
    conversion: { is: 'ready' },
    createdAt: timeline.now(),
  }
  const digest = digestOf(file.data, scale.chunk)
  picked.set(media.id, { between: `${ownerId} ${recipientId}`, digest })
  const add = () => product.addMessageFile(media)
  const end = await product.copyFile(media, file as unknown as File, true, add)
  if (end.is === 'full') await product.removeMessageFile(draftId, media.id)
  if (end.is === 'picked') world.pageHeldFiles.set(media.id, file)
  if (end.is === 'stored') world.copied.add(media.id)
}

/** One person blocks the other, and later no more. */
function blockForAWhile({ random, timeline, server, isStable }: World): void {
  const [one, other] = random.chance(0.5) ? people : people.toReversed()
  const block = `${one?.id} ${other?.id}`
  if (isStable) return
  server.messages.blocks.add(block)
  timeline.after(random.between(500, 30_000), () => void server.messages.blocks.delete(block))
}
