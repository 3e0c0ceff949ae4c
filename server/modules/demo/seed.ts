// Fills an empty database with the demo people and posts for the first start.
import { fold } from '#contract/text/fold.ts'
import { newId } from '#contract/ids.ts'
import type { Deps, Unit } from '#server/deps.ts'
import type { Db } from '#server/store/database.ts'
import { queueOf } from '#server/store/jobs.ts'
import { holdUploads } from '#server/store/media/media.ts'
import { addUser, anyoneRegistered, setPicture } from '#server/store/people/people.ts'
import { addCheckOnce, moveCheck, setIdentified } from '#server/store/identity/identity.ts'
import { addFollow } from '#server/store/people/follows.ts'
import { addPlan, joinPlan } from '#server/store/plans/plans.ts'
import {
  addPostOnce,
  addPurchase,
  attachMedia,
  attachPlans,
  releasePostOnce,
} from '#server/store/posts/posts.ts'
import { changePrivacy } from '#server/store/accounts/settings.ts'
import { claimUpload } from '#server/store/media/uploads.ts'
import { addSearchedWord } from '#server/store/search/searched-words.ts'
import { reindexPerson, reindexPost } from '#server/services/search/search-index.ts'
import { demoAccounts, demoFollows, demoPeople, demoPlans, type PersonKey, type PlanKey } from './people.ts'
import { type DemoFile, type DemoFiles, makeDemoFiles } from './pictures.ts'
import { addDemoNotice, addDemoNotification } from './notifications.ts'
import { type DemoPost, demoPosts, demoSearches } from './posts.ts'
import { addDemoReactions } from './reactions.ts'

const HOUR = 3600 * 1000
const DAY = 24 * HOUR

type Ids<K extends string> = Record<K, string>

const idsFor = <K extends string>(keys: readonly K[]) =>
  Object.fromEntries(keys.map((key) => [key, newId()])) as Ids<K>

/** @returns whether the demo was added; a database with accounts is not changed */
export async function seedDemo(deps: Deps): Promise<boolean> {
  if (await anyoneRegistered(deps.db)) return false
  const files = await makeDemoFiles(deps)
  const passwordHash = await deps.passwords.hash(demoAccounts.password)
  // One transaction, so that an interrupted start leaves no part of the demo.
  await deps.transaction(async (unit) => {
    const { tx } = unit
    const people = idsFor(Object.keys(demoPeople) as PersonKey[])
    const plans = idsFor(Object.keys(demoPlans) as PlanKey[])
    await addPeople(deps, unit, people, passwordHash, files)
    await approveCreators(deps, tx, people)
    await addPlans(deps, tx, people, plans)
    for (const [i, [follower, followed]] of demoFollows.entries()) {
      const at = deps.clock() - (20 - i) * DAY
      await addFollow(tx, people[follower], people[followed], at)
      await addDemoNotification(tx, { is: 'follow', by: people[follower], to: people[followed] }, at)
    }
    for (const post of demoPosts) {
      await addDemoPost(deps, unit, post, files.ofPosts.get(post) ?? [], people, plans)
    }
    await addSearches(deps, tx)
    await addDemoNotice(tx, Object.values(people), deps.clock())
  })
  return true
}

/** Adds the held upload of a demo file, and enqueues its processing. */
async function addHeldFile(
  { tx, enqueue }: Unit,
  file: DemoFile,
  ownerId: string,
  now: number,
): Promise<void> {
  const { id, kind, mime, filename, length } = file
  await claimUpload(tx, { id, ownerId, length, metadata: { filename } }, now)
  await holdUploads(tx, [{ id, kind, mime, duration: null }], now)
  await enqueue(queueOf(kind), { mediaId: id })
}

async function addPeople(
  deps: Deps,
  unit: Unit,
  people: Ids<PersonKey>,
  passwordHash: string,
  files: DemoFiles,
): Promise<void> {
  const { tx } = unit
  const since = deps.clock() - 30 * DAY
  for (const key of Object.keys(people) as PersonKey[]) {
    const { email, name, handle, birthDate, bio } = demoPeople[key]
    await addUser(tx, {
      id: people[key],
      email,
      name,
      handle,
      birthDate,
      bio,
      passwordHash,
      createdAt: new Date(since),
    })
    await reindexPerson(tx, people[key])
    await changePrivacy(tx, people[key], { showsAgeLimited: true }, since)
    for (const [role, pictures] of [
      ['avatar', files.avatars],
      ['cover', files.covers],
    ] as const) {
      const file = pictures.get(key)
      if (!file) continue
      await addHeldFile(unit, file, people[key], since)
      await setPicture(tx, people[key], role, file.id)
    }
  }
}

/** Plan and priced posts require an approved identity check of their author. Those of the demo have no documents. */
async function approveCreators(deps: Deps, tx: Db, people: Ids<PersonKey>): Promise<void> {
  const restricted = demoPosts.filter((it) => it.plans !== undefined || it.price !== undefined)
  for (const key of new Set(restricted.map((it) => it.author))) {
    const userId = people[key]
    const submittedAt = new Date(deps.clock() - 29 * DAY)
    const decidedAt = new Date(submittedAt.getTime() + HOUR)
    const documentKind = 'drivers_license' as const
    const check = { id: newId(), userId, idempotencyKey: newId(), documentKind, prompts: [], submittedAt }
    await addCheckOnce(tx, check)
    await moveCheck(tx, check.id, { state: 'approved', reviewerId: people.admin, decidedAt })
    await setIdentified(tx, userId, decidedAt)
  }
}

async function addPlans(deps: Deps, tx: Db, people: Ids<PersonKey>, plans: Ids<PlanKey>): Promise<void> {
  const since = deps.clock() - 29 * DAY
  for (const key of Object.keys(plans) as PlanKey[]) {
    const { members, ...offer } = demoPlans[key]
    const createdAt = new Date(since)
    await addPlan(tx, { ...offer, id: plans[key], creatorId: people.haru, createdAt })
    for (const member of members) await joinPlan(tx, plans[key], people[member], since + DAY)
  }
}

/** Adds searches for each word, as if of several people. */
async function addSearches({ clock }: Deps, tx: Db): Promise<void> {
  for (const [i, text] of demoSearches.entries()) {
    for (let n = demoSearches.length - i + 5; n > 0; n--)
      await addSearchedWord(tx, { word: fold(text), written: text, searcher: newId() }, clock())
  }
}

async function addDemoPost(
  deps: Deps,
  unit: Unit,
  post: DemoPost,
  files: readonly DemoFile[],
  people: Ids<PersonKey>,
  plans: Ids<PlanKey>,
): Promise<void> {
  const { tx } = unit
  const at = deps.clock() - post.hoursAgo * HOUR
  const row = {
    id: newId(),
    authorId: people[post.author],
    idempotencyKey: null,
    type: post.plans ? 2 : post.price === undefined ? 1 : 3,
    content: post.content,
    title: post.title ?? '',
    introduction: post.introduction ?? '',
    isAgeLimited: post.ageLimited ?? false,
    price: post.price ?? null,
  } as const
  await addPostOnce(tx, row, at)
  for (const file of files) await addHeldFile(unit, file, row.authorId, at)
  const attached = files.map(({ id, kind }, position) => ({
    mediaId: id,
    role: post.video && kind === 'image' ? ('thumbnail' as const) : kind,
    position,
  }))
  await attachMedia(tx, row.id, attached)
  if (post.plans) {
    await attachPlans(
      tx,
      row.id,
      post.plans.map((key) => plans[key]),
    )
  }
  for (const buyer of post.buyers ?? [])
    await addPurchase(tx, row.id, people[buyer], post.price ?? 0, at + HOUR)
  await releasePostOnce(tx, row.id, row.authorId, at)
  await reindexPost(tx, row.id)
  if (post.reactions) await addDemoReactions(tx, row, post.reactions, people, at)
}
