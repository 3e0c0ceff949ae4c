// What people want in a story: drafts, picked files, submissions.
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
  /** It is submitted while its bytes are still being copied. */
  copying: boolean
  /** Its files go up while it is written. */
  early: boolean
  /** A file is picked and taken out again. */
  changesMind: boolean
  /** It is discarded instead of being submitted. */
  discarded: boolean
  /** Another tab changes its text just before it is submitted. */
  twoTabs: boolean
  /** The last letters are not stored yet when it is submitted. */
  unsaved: boolean
  /** The browser clears its data just before it is submitted. */
  evicted: boolean
  /** It is no post but an identity check: two pictures and a recording. */
  identity: boolean
}

export function createScenarios({ random, scale, heads, ...world }: World): Scenario[] {
  // Against real disks most files are small.
  const MiB = heads && random.chance(0.8) ? scale.MiB / 100 : scale.MiB
  const most = heads ? 8 : 24
  const people = world.people.map((it) => it.id)
  const posts = Array.from({ length: random.between(1, 3) }, (_, number): Scenario => {
    const kind = random.pick(['text', 'images', 'video', 'video'] as const)
    const sizes = {
      text: [],
      images: Array.from({ length: random.between(1, 3) }, () => random.between(1, 6 * MiB)),
      video: [random.between(1, most * MiB)],
    }[kind]
    const protocol = random.pick(['tus', 'chunked'] as const)
    const early = protocol === 'tus' && sizes.length > 0 && random.chance(0.5)
    return {
      number,
      owner: random.pick(people),
      sizes,
      video: kind === 'video',
      protocol,
      copying: random.chance(0.3),
      early,
      changesMind: random.chance(0.3),
      discarded: random.chance(0.1),
      twoTabs: random.chance(0.15),
      unsaved: random.chance(0.15),
      evicted: random.chance(0.02),
      identity: false,
    }
  })
  // The real server wants prompts it gave, and documents of which a face can be seen.
  if (heads || random.chance(0.6)) return posts
  const check = {
    protocol: 'tus',
    video: false,
    copying: false,
    early: false,
    changesMind: false,
    twoTabs: false,
    unsaved: false,
    evicted: false,
    discarded: false,
  } as const
  const sizes = [random.between(1, 6 * MiB), random.between(1, 6 * MiB), random.between(1, 12 * MiB)]
  return [...posts, { ...check, number: posts.length, owner: random.pick(people), sizes, identity: true }]
}

const textOf = ({ number }: Pick<Scenario, 'number'>) => `post ${number}`

/** What another person types into a draft whose address that person has opened. */
export const typedBy = (person: string): string => `typed by ${person}`

/** A picked file of this many bytes. */
function fileOf({ random, digests, heads, scale }: World, size: number, video: boolean): SimFile {
  const head = heads?.[video ? 'video' : 'image'] ?? new Uint8Array()
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

/** Time that passes for a person in front of a page; ends early when the page is gone. */
export function pause({ timeline, random }: World, page: Page, from: number, to: number): Promise<void> {
  const passed = new Promise<void>((resolve) => void timeline.after(random.between(from, to), resolve))
  return Promise.race([passed, page.gone])
}

/** Writes a draft in this tab and submits or discards it. @throws what the device throws, when it has no room */
export async function playScenario(world: World, tab: Page, wish: Scenario): Promise<void> {
  if (wish.identity) return writeCheck(world, tab, wish)
  const { product } = tab
  const { timeline, browser, random } = world
  const now = timeline.now
  const draft = { ...product.emptyDraft(wish.owner, now(), wish.protocol), content: textOf(wish) }
  await product.changeDraft(draft, (it) => ({ ...it, content: textOf(wish) }), now())
  const files = wish.sizes.map((size) => fileOf(world, size, wish.video))
  const copies: Promise<unknown>[] = []
  const stay: { id: string; file: SimFile }[] = []
  for (const file of files) {
    const id = newMediaId(world, stay.length, wish.number)
    // Rows are added one after the other, in the order of the picked files; their bytes follow side by side.
    await new Promise<void>((added) => {
      const copy = pick(world, tab, draft, id, file, wish, wish.copying ? added : () => {})
      copies.push(copy)
      void copy.finally(added).catch(() => undefined)
    })
    stay.push({ id, file })
  }
  world.picked.set(
    textOf(wish),
    stay.map(({ file }) => digestOf(file.data, world.scale.chunk)),
  )
  if (wish.early) {
    await product.beginPreupload(draft.id, wish.owner, now())
    browser.say('deliver')
    if (wish.changesMind) await changeMind(world, tab, draft, wish)
    await pause(world, tab, 100, 40_000)
  }
  if (wish.discarded) await product.discardDraft(draft.id, wish.owner)
  else {
    // Submitted while chunks are still being copied, once every file has its row.
    if (wish.copying) await pause(world, tab, 0, 30)
    const stored = await product.readDraft(draft.id, wish.owner)
    const shown = stored && typed(world, stored, wish)
    if (wish.twoTabs) await editElsewhere(world, draft, wish)
    if (wish.evicted) evictSite(world)
    // The queue reads its lists at the moment of the submission.
    if (wish.early && random.chance(0.4))
      await Promise.race([world.inspector.nextLook(), pause(world, tab, 20_000, 20_000)])
    if (shown) await submit(world, tab, shown)
    if (shown && random.chance(0.2)) await submit(world, browser.anyTab(), shown)
  }
  await Promise.all(copies)
}

let ids = 0
/** Media ids are the story's: what they hold is known before the product has seen it. */
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
  wish: Scenario,
  added: () => void = () => {},
): Promise<void> {
  const { product } = tab
  const media = mediaOf(id, draft, file, wish.video, world.timeline.now())
  const add = async () => {
    const changed = await product.addMedia(draft, media, world.timeline.now())
    added()
    return changed !== undefined
  }
  const end = await product.copyFile(media, file as unknown as File, true, add)
  // Without room for it the person takes it out again.
  if (end.is === 'full') await product.removeMedia(draft, id, world.timeline.now())
  if (end.is === 'picked') world.pageFiles.set(id, file)
  if (end.is === 'stored') world.copied.add(id)
}

/** Another file is picked into the draft, and taken out again. */
async function changeMind(world: World, tab: Page, draft: Draft, wish: Scenario): Promise<void> {
  const id = newMediaId(world, 99, wish.number)
  await pick(world, tab, draft, id, fileOf(world, 3 * small.MiB, wish.video), wish)
  await tab.product.beginPreupload(draft.id, wish.owner, world.timeline.now())
  world.browser.say('deliver')
  await pause(world, tab, 0, 8000)
  await tab.product.removeMedia(draft, id, world.timeline.now())
}

/** Presses 投稿 in this tab: what the tab shows is sent, unless the device has a newer version, which it then shows. */
async function submit(world: World, tab: Page, shown: Draft): Promise<void> {
  const { timeline, inspector, browser } = world
  // What is posted is what the draft holds: a file for which there was no room is not in it.
  if (shown.mediaIds.length !== (world.picked.get(shown.content) ?? []).length) return
  const told = inspector.submissions.begin(shown)
  const end = await tab.product.submitDraft(shown, timeline.now())
  told(end)
  browser.say('deliver')
  if (end.is === 'changed') await submit(world, tab, end.stored)
}

/** What the screen shows of a stored draft: the last letters may not be stored yet. */
function typed({ picked }: World, stored: Draft, wish: Scenario): Draft {
  if (!wish.unsaved) return stored
  const content = `${textOf(wish)} unsaved`
  picked.set(content, picked.get(textOf(wish)) ?? [])
  return { ...stored, content }
}

/** Another tab with the same draft stores a text of its own. */
async function editElsewhere(world: World, draft: Draft, wish: Scenario): Promise<void> {
  const tab = world.browser.anyTab()
  const shown = await tab.product.readDraft(draft.id, draft.ownerId)
  if (!shown) return
  const mine = { ...shown, content: `${textOf(wish)} edited` }
  world.picked.set(mine.content, world.picked.get(textOf(wish)) ?? [])
  await tab.product.editDraft(shown, mine, world.timeline.now())
}

async function writeCheck(world: World, tab: Page, wish: Scenario): Promise<void> {
  const { product } = tab
  const now = world.timeline.now
  await product.chooseDocument(wish.owner, 'drivers_license', now())
  const asked = { id: newMediaId(world, 0, wish.number), prompts: [], expiresAt: now() + 3600_000 }
  await product.storePrompts(wish.owner, asked, now())
  for (const [i, part] of (['front', 'back', 'live'] as const).entries()) {
    const file = fileOf(world, wish.sizes[i] ?? 1, part === 'live')
    await product.storePart(wish.owner, part, file as unknown as File, now())
  }
  await product.submitIdentityDraft(wish.owner, true, now())
  world.browser.say('deliver')
}
