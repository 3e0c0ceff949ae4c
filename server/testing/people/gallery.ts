// Makes the posts and viewers of the access table.
import { cp } from 'node:fs/promises'
import { newId } from '#contract/ids.ts'
import { makeMedia } from '#server/modules/media/make.ts'
import { indexMissing } from '#server/modules/search/index-missing.ts'
import { addBlock } from '#server/store/people/blocks.ts'
import { findMedia, setMediaReady } from '#server/store/media/media.ts'
import { addPlan, endMembership, joinPlan } from '#server/store/plans/plans.ts'
import { addPurchase } from '#server/store/posts/posts.ts'
import { addPlanPayers } from '#server/testing/memberships/plan-payers.ts'
import { addPayers } from '#server/testing/payments/payers.ts'
import { call, type Member, signUp, upload } from './members.ts'
import { fixture, jpeg } from '#server/testing/pictures.ts'
import { onSeveralServers } from '#server/testing/several-servers.ts'
import type { Field, Studio } from './studio.ts'
import { type World, storedAt } from '#server/testing/world.ts'

/** A post with unique words, and its files. */
export interface Exhibit {
  readonly id: string
  readonly mediaId: string
  readonly words: readonly string[]
  /** Names of its files, as in its author's view and in the playlists. */
  readonly files: readonly string[]
}

/** Yen a month of the plan of the table. */
const PLAN_PRICE = 300

const kinds = ['open', 'plan', 'priced', 'open18', 'plan18', 'priced18'] as const
export type ExhibitName = (typeof kinds)[number] | 'video' | 'draft' | 'deleted'

export interface Gallery {
  readonly planId: string
  readonly posts: Record<ExhibitName, Exhibit>
  readonly viewers: Record<string, Member | null>
}

const namesIn = (playlist: string) =>
  [...playlist.matchAll(/^(?!#)([\w.]+)|URI="([\w.]+)/gm)].map((it) => `hls/${it[1] ?? it[2]}`)

async function filesOf(studio: Studio, mediaId: string, video: boolean): Promise<string[]> {
  if (!video) return ['w240', 'w480']
  const lists = ['hls/main.m3u8', 'hls/video.m3u8']
  const read = async (it: string) => (await studio.file(mediaId, it, studio.creator)).body
  const named = (await Promise.all(lists.map(read))).flatMap(namesIn)
  return ['play', 'poster', ...new Set([...lists, ...named])]
}

/** Copies the variants of a picture that is already converted, since all pictures are equal. */
async function copyMade({ deps, dataDir }: World, from: string, to: string): Promise<void> {
  const pattern = await findMedia(deps.db, from)
  if (!pattern) throw new Error('the picture to copy is not converted')
  const { width, height, duration, animated, made } = pattern
  await cp(storedAt({ dataDir }, 'media', from), storedAt({ dataDir }, 'media', to), { recursive: true })
  await setMediaReady(deps.db, to, { width, height, duration, animated, made })
}

async function exhibit(
  world: World,
  studio: Studio,
  name: ExhibitName,
  { planId, pattern }: { planId: string; pattern: string | undefined },
): Promise<Exhibit> {
  const words = [`${name}の本文はひみつです`, `${name}の説明はひみつです`] as const
  const kind = name.replace('18', '')
  const gate: Record<string, Field[]> = {
    open: [['type', '1']],
    plan: [
      ['type', '2'],
      ['plan_id[]', planId],
    ],
  }
  const priced: Field[] = [
    ['type', '3'],
    ['price', '500'],
  ]
  const video = name === 'video'
  const bytes = video ? fixture('h264-65s.mp4') : await jpeg()
  const mediaId = await upload(world, studio.creator, bytes, video ? 'a.mp4' : 'a.jpg')
  const shows: Field[] = video
    ? [
        ['has_video_file', mediaId],
        ['video_thumbnail_file', { name: 't.jpg', bytes: await jpeg(320, 180) }],
      ]
    : [
        ['has_image_file[]', mediaId],
        ['image_alt[]', words[1]],
      ]
  const fields = [...(gate[kind] ?? priced), ...shows, ['content', words[0]] as const]
  if (name.endsWith('18')) fields.push(['is_age_limited', '1'])
  const id = await studio.post(fields, name !== 'draft')
  // Only on the disk is a copy faster.
  if (video || !pattern || onSeveralServers) await makeMedia(world.deps, mediaId)
  else await copyMade(world, pattern, mediaId)
  const commentText = `${name}の感想はひみつです`
  if (name !== 'draft')
    await call(world, studio.creator, 'POST', `/posts/${id}/comments`, { id: newId(), content: commentText })
  const all = video ? [words[0], commentText] : [...words, commentText]
  return { id, mediaId, words: all, files: await filesOf(studio, mediaId, video) }
}

/** Signs up the viewers of the table; the name of each describes its access. */
async function addViewers(
  world: World,
  { creator }: Studio,
  planId: string,
  { bought, forSale }: { readonly bought: readonly string[]; readonly forSale: readonly string[] },
) {
  const { db } = world.deps
  const { now } = world.clock
  const run = (statement: string, ...values: unknown[]) => world.database.executeSql(statement, values)
  const member = async (birthDate?: string, shows = true) => {
    const it = await signUp(world, birthDate)
    if (shows) await call(world, it, 'PATCH', '/settings/privacy', { shows_age_limited: true })
    return it
  }
  const join = (it: Member) => joinPlan(db, planId, it.id, now)
  const buy = async (it: Member) => {
    for (const id of bought) await addPurchase(db, id, it.id, 500, now)
  }
  const withAll = async (it: Member) => {
    await join(it)
    await buy(it)
    return it
  }
  const [planMember, formerMember] = [await member(), await member()]
  await join(planMember)
  await join(formerMember)
  await endMembership(db, planId, formerMember.id, now)
  const payers = await addPayers(world, member, { creator, all: bought, forSale })
  const planPayers = await addPlanPayers(world, member, { creator, planId, price: PLAN_PRICE })
  const [blocked, blocker, muter] = [await member(), await member(), await member()]
  for (const it of [blocked, blocker, muter]) await withAll(it)
  await addBlock(db, creator.id, blocked.id, now)
  await addBlock(db, blocker.id, creator.id, now)
  await call(world, muter, 'PUT', `/mutes/${creator.id}`)
  const follower = await member()
  await call(world, follower, 'PUT', `/follows/${creator.id}`)
  const young = await withAll(await member(`${new Date(now).getFullYear() - 16}-01-01`))
  const hidesAgeLimited = await withAll(await member(undefined, false))
  const [admin, suspended] = [await member(), await withAll(await member())]
  await run(`update users set role = 'admin' where id = $1`, admin.id)
  await run(`update users set suspended_at = now() where id = $1`, suspended.id)
  return {
    visitor: null,
    member: await member(),
    follower,
    planMember,
    formerMember,
    ...payers,
    ...planPayers,
    everything: await withAll(await member()),
    muter,
    blocked,
    blocker,
    young,
    hidesAgeLimited,
    admin,
    suspended,
    author: creator,
  }
}

export async function openGallery(world: World, studio: Studio): Promise<Gallery> {
  const planId = newId()
  const plan = { id: planId, creatorId: studio.creator.id, name: '応援', price: PLAN_PRICE }
  await addPlan(world.deps.db, { ...plan, createdAt: new Date(world.clock.now) })
  const made: Partial<Gallery['posts']> = {}
  for (const name of [...kinds, 'video', 'draft', 'deleted'] as const)
    made[name] = await exhibit(world, studio, name, { planId, pattern: made.open?.mediaId })
  const posts = made as Gallery['posts']
  const priced = [posts.priced, posts.priced18, posts.video, posts.draft, posts.deleted]
  const bought = priced.map((it) => it.id)
  // A draft cannot be bought; its buyers have it as a grant.
  const forSale = bought.filter((it) => it !== posts.draft.id)
  const viewers = await addViewers(world, studio, planId, { bought, forSale })
  await world.database.executeSql('update posts set deleted_at = now() where id = $1', [posts.deleted.id])
  await indexMissing(world.deps)
  return { planId, posts, viewers }
}
