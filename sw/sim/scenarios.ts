// The actions of people in a story: drafts, picked files, submissions.
import type { Protocol } from '#device/jobs/job-rows.ts'
import type { Draft, Media } from '#device/database/schema.ts'
import { digestOf, SimFile, small } from './browser/bytes.ts'
import { evictSite } from './actions.ts'
import type { Page } from './browser/page.ts'
import type { World } from './world.ts'

export interface Scenario {
  number: number
  owner: string
  sizes: number[]
  video: boolean
  protocol: Protocol
  /** Whether it is submitted while its bytes are still being copied. */
  copying: boolean
  /** Whether its files are preuploaded while it is written. */
  preuploaded: boolean
  /** Whether a file is picked and removed again. */
  removesFile: boolean
  /** Whether it is discarded instead of being submitted. */
  discarded: boolean
  /** Whether another tab changes its text just before it is submitted. */
  editedElsewhere: boolean
  /** Whether its last characters are not stored yet when it is submitted. */
  unsaved: boolean
  /** Whether the browser clears the site's data just before it is submitted. */
  evicted: boolean
  /** Whether it is an identity check, with two pictures and a recording, instead of a post. */
  identity: boolean
}

export function createScenarios({ random, scale, filePrefixes, ...world }: World): Scenario[] {
  // Against real disks most files are small.
  const MiB = filePrefixes && random.chance(0.8) ? scale.MiB / 100 : scale.MiB
  const maxVideoMiB = filePrefixes ? 8 : 24
  const people = world.people.map((it) => it.id)
  const posts = Array.from({ length: random.between(1, 3) }, (_, number): Scenario => {
    const kind = random.pick(['text', 'images', 'video', 'video'] as const)
    const sizes = {
      text: [],
      images: Array.from({ length: random.between(1, 3) }, () => random.between(1, 6 * MiB)),
      video: [random.between(1, maxVideoMiB * MiB)],
    }[kind]
    const protocol = random.pick(['tus', 'chunked'] as const)
    const preuploaded = protocol === 'tus' && sizes.length > 0 && random.chance(0.5)
    return {
      number,
      owner: random.pick(people),
      sizes,
      video: kind === 'video',
      protocol,
      copying: random.chance(0.3),
      preuploaded,
      removesFile: random.chance(0.3),
      discarded: random.chance(0.1),
      editedElsewhere: random.chance(0.15),
      unsaved: random.chance(0.15),
      evicted: random.chance(0.02),
      identity: false,
    }
  })
  // Identity checks need the pure core: the real server requires its own prompts, and documents with a visible face.
  if (filePrefixes || random.chance(0.6)) return posts
  const check = {
    protocol: 'tus',
    video: false,
    copying: false,
    preuploaded: false,
    removesFile: false,
    editedElsewhere: false,
    unsaved: false,
    evicted: false,
    discarded: false,
  } as const
  const sizes = [random.between(1, 6 * MiB), random.between(1, 6 * MiB), random.between(1, 12 * MiB)]
  return [...posts, { ...check, number: posts.length, owner: random.pick(people), sizes, identity: true }]
}

const textOf = ({ number }: Pick<Scenario, 'number'>) => `post ${number}`

/** The text that another person types into a draft whose URL that person has opened. */
export const typedBy = (person: string): string => `typed by ${person}`

/** A picked file of this many bytes. */
export function fileOf(
  { random, digests, filePrefixes, scale }: World,
  size: number,
  video: boolean,
): SimFile {
  const head = filePrefixes?.[video ? 'video' : 'image'] ?? new Uint8Array()
  const bytes = new Uint8Array(head.length + size)
  bytes.set(head)
  const step = Math.max(7, size >> 8)
  for (let i = head.length; i < bytes.length; i += step) bytes[i] = random.between(0, 255)
  digests.add(digestOf(bytes, scale.chunk))
  return new SimFile([bytes], video ? 'a.mp4' : 'a.jpg', { type: video ? 'video/mp4' : 'image/jpeg' })
}

function mediaOf(id: string, draft: Draft, file: SimFile, video: boolean, now: number): Media {
  return {
    id,
    draftId: draft.id,
    ownerId: draft.ownerId,
    role: 'media',
    kind: video ? 'video' : 'image',
    name: file.name,
    mime: file.type,
    size: file.size,
    duration: null,
    alt: '',
    bytes: { is: 'copying', stored: 0 },
    conversion: { is: 'ready' },
    createdAt: now,
  }
}

/** A pause of a person between two actions; the end of the page ends it. */
export function pause({ timeline, random }: World, page: Page, from: number, to: number): Promise<void> {
  const passed = new Promise<void>((resolve) => void timeline.after(random.between(from, to), resolve))
  return Promise.race([passed, page.ended])
}

/** Writes a draft in this tab and submits or discards it. @throws the error of a device without room */
export async function playScenario(world: World, tab: Page, scenario: Scenario): Promise<void> {
  if (scenario.identity) return writeCheck(world, tab, scenario)
  const { product } = tab
  const { timeline, browser, random } = world
  const now = timeline.now
  const draft = { ...product.emptyDraft(scenario.owner, now(), scenario.protocol), content: textOf(scenario) }
  await product.changeDraft(draft, (it) => ({ ...it, content: textOf(scenario) }), now())
  const files = scenario.sizes.map((size) => fileOf(world, size, scenario.video))
  const copies: Promise<unknown>[] = []
  const pickedFiles: { id: string; file: SimFile }[] = []
  for (const file of files) {
    const id = newMediaId(world, pickedFiles.length, scenario.number)
    // Rows are added one after the other, in the order of the picked files; their bytes follow side by side.
    await new Promise<void>((added) => {
      const copy = pick(world, tab, draft, id, file, scenario, scenario.copying ? added : () => {})
      copies.push(copy)
      void copy.finally(added).catch(() => undefined)
    })
    pickedFiles.push({ id, file })
  }
  world.picked.set(
    textOf(scenario),
    pickedFiles.map(({ file }) => digestOf(file.data, world.scale.chunk)),
  )
  if (scenario.preuploaded) {
    await product.beginPreupload(draft.id, scenario.owner, now())
    browser.postMessage('deliver')
    if (scenario.removesFile) await pickAndRemoveFile(world, tab, draft, scenario)
    await pause(world, tab, 100, 40_000)
  }
  if (scenario.discarded) await product.discardDraft(draft.id, scenario.owner)
  else {
    // Submitted while chunks are still being copied, when every file has its row.
    if (scenario.copying) await pause(world, tab, 0, 30)
    const stored = await product.readDraft(draft.id, scenario.owner)
    const shown = stored && shownDraft(world, stored, scenario)
    if (scenario.editedElsewhere) await editElsewhere(world, draft, scenario)
    if (scenario.evicted) evictSite(world)
    // The queue reads its lists at the moment of the submission.
    if (scenario.preuploaded && random.chance(0.4))
      await Promise.race([world.inspector.nextDeliveriesRead(), pause(world, tab, 20_000, 20_000)])
    if (shown) await submit(world, tab, shown)
    if (shown && random.chance(0.2)) await submit(world, browser.anyTab(), shown)
  }
  await Promise.all(copies)
}

let ids = 0
/** A media id, which the story chooses itself, so that it knows the bytes of each id. */
function newMediaId({ seed }: World, index: number, number: number): string {
  const hex = (value: number, length: number) => value.toString(16).padStart(length, '0').slice(-length)
  return `${hex(seed, 8)}-${hex(number, 4)}-7${hex(index, 3)}-8${hex(0, 3)}-${hex(++ids, 12)}`
}

async function pick(
  world: World,
  tab: Page,
  draft: Draft,
  id: string,
  file: SimFile,
  scenario: Scenario,
  added: () => void = () => {},
): Promise<void> {
  const { product } = tab
  const media = mediaOf(id, draft, file, scenario.video, world.timeline.now())
  const add = async () => {
    const changed = await product.addMedia(draft, media, world.timeline.now())
    added()
    return changed !== undefined
  }
  const end = await product.copyFile(media, file as unknown as File, true, add)
  // If there is no room for the file, the person removes it.
  if (end.is === 'full') await product.removeMedia(draft, id, world.timeline.now())
  if (end.is === 'picked') world.pageHeldFiles.set(id, file)
  if (end.is === 'stored') world.copied.add(id)
}

/** Picks another file into the draft, and removes it. */
async function pickAndRemoveFile(world: World, tab: Page, draft: Draft, scenario: Scenario): Promise<void> {
  const id = newMediaId(world, 99, scenario.number)
  await pick(world, tab, draft, id, fileOf(world, 3 * small.MiB, scenario.video), scenario)
  await tab.product.beginPreupload(draft.id, scenario.owner, world.timeline.now())
  world.browser.postMessage('deliver')
  await pause(world, tab, 0, 8000)
  await tab.product.removeMedia(draft, id, world.timeline.now())
}

/** Presses 投稿 in this tab; if the device has a newer version, the tab shows that one, and 投稿 is pressed again. */
async function submit(world: World, tab: Page, shown: Draft): Promise<void> {
  const { timeline, inspector, browser } = world
  // A file for which there was no room is not in the draft: then the picked files cannot be compared.
  if (shown.mediaIds.length !== (world.picked.get(shown.content) ?? []).length) return
  const checkResult = inspector.submissions.begin(shown)
  const end = await tab.product.submitDraft(shown, timeline.now())
  checkResult(end)
  browser.postMessage('deliver')
  if (end.is === 'changed') await submit(world, tab, end.stored)
}

/** The draft on the screen, whose last characters may not be stored yet. */
function shownDraft({ picked }: World, stored: Draft, scenario: Scenario): Draft {
  if (!scenario.unsaved) return stored
  const content = `${textOf(scenario)} unsaved`
  picked.set(content, picked.get(textOf(scenario)) ?? [])
  return { ...stored, content }
}

/** Stores another text of the draft in another tab. */
async function editElsewhere(world: World, draft: Draft, scenario: Scenario): Promise<void> {
  const tab = world.browser.anyTab()
  const shown = await tab.product.readDraft(draft.id, draft.ownerId)
  if (!shown) return
  const edited = { ...shown, content: `${textOf(scenario)} edited` }
  world.picked.set(edited.content, world.picked.get(textOf(scenario)) ?? [])
  await tab.product.editDraft(shown, edited, world.timeline.now())
}

async function writeCheck(world: World, tab: Page, scenario: Scenario): Promise<void> {
  const { product } = tab
  const now = world.timeline.now
  await product.chooseDocument(scenario.owner, 'drivers_license', now())
  const promptSet = { id: newMediaId(world, 0, scenario.number), prompts: [], expiresAt: now() + 3600_000 }
  await product.storePrompts(scenario.owner, promptSet, now())
  for (const [i, part] of (['front', 'back', 'live'] as const).entries()) {
    const file = fileOf(world, scenario.sizes[i] ?? 1, part === 'live')
    await product.storePart(scenario.owner, part, file as unknown as File, now())
  }
  await product.submitIdentityDraft(scenario.owner, true, now())
  world.browser.postMessage('deliver')
}
