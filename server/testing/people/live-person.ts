// A person with a row in every table and a file in every folder.
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fold } from '#contract/text/fold.ts'
import { newId } from '#contract/ids.ts'
import { setPicture } from '#server/store/people/people.ts'
import { setNextPlanPicture } from '#server/store/plans/pictures.ts'
import { addPlan, joinPlan } from '#server/store/plans/plans.ts'
import { addPurchase } from '#server/store/posts/posts.ts'
import { addPost, call, type Member, postIdOf, identify, signUp, upload } from './members.ts'
import { addMember } from '#server/testing/memberships/member-row.ts'
import { addReceipted } from '#server/testing/payments/receipted.ts'
import { jpeg } from '#server/testing/pictures.ts'
import { type World, storedAt } from '#server/testing/world.ts'
import { fillCase } from './live-cases.ts'
import { fillAdjustments } from './live-adjustments.ts'
import { fillMessages } from './live-messages.ts'
import { fillNotices } from './live-notices.ts'
import { fillPayouts } from './live-payouts.ts'
import { addSoldPost } from '#server/testing/payments/live-sold-post.ts'
import { fillSecondFactor } from './live-second-factor.ts'
import { fillUploads } from './live-uploads.ts'

export interface LivePerson extends Member {
  /** Texts that only this person's data contain. */
  readonly traces: readonly string[]
  /** A post of this person with a buyer. */
  readonly soldPostId: string
  /** Uploads of other people, which an erasure must not delete. */
  readonly othersUploads: readonly string[]
}

const text = (content: string) =>
  [
    ['content', content],
    ['type', '1'],
  ] as const

export async function livePerson(world: World): Promise<LivePerson> {
  const person = await identify(world, await signUp(world))
  const other = await signUp(world)
  const trace = `しるし${newId()}`
  const handle = newId().replaceAll('-', '').slice(-20)
  const { soldPostId, othersUploads } = await publish(world, person, other, trace)
  await fillAccount(world, person, other, trace)
  await fillSecondFactor(world, person, other, trace)
  await world.database.executeSql(
    `update users set handle = $2, links = to_jsonb(array[$3]::text[]) where id = $1`,
    [person.id, handle, trace],
  )
  await fillUploads(world, person, trace)
  await fillReactions(world, person, other, soldPostId, trace)
  await fillMessages(world, person, other, trace)
  await fillNotifications(world, person, other, trace)
  await fillNotices(world, person)
  await fillIdentity(world, person, trace)
  await fillPayouts(world, person, other, trace)
  await addReceipted(world, person, other, trace)
  await fillAdjustments(world, person, other, trace)
  await addMember(world, person, other)
  await addMember(world, other, person)
  await world.deps.transaction(({ email }) =>
    email({ email: person.email, name: trace }, { is: 'identity_received' }),
  )
  return { ...person, traces: [person.email, trace, fold(trace), handle], soldPostId, othersUploads }
}

async function publish(world: World, person: Member, other: Member, trace: string) {
  const { db } = world.deps
  const now = world.clock.now
  const planId = newId()
  const joined = newId()
  await addPlan(db, { id: planId, creatorId: person.id, name: trace, price: 500, createdAt: new Date(now) })
  await addPlan(db, {
    id: joined,
    creatorId: other.id,
    name: '別の人のプラン',
    price: 500,
    createdAt: new Date(now),
  })
  await joinPlan(db, planId, other.id, now)
  await joinPlan(db, joined, person.id, now)
  const image = await upload(world, person, await jpeg(), `${trace}.jpg`)
  const face = await upload(world, person, await jpeg(), 'face.jpg')
  await upload(world, person, Buffer.from(trace), 'unheld.bin')
  const otherUpload = await upload(world, other, await jpeg(), 'b.jpg')
  const released = async (as: Member, fields: Parameters<typeof addPost>[2]) => {
    const id = postIdOf(await addPost(world, as, fields, newId()))
    await call(world, as, 'POST', `/post/release-uploaded/${id}`)
    return id
  }
  const forMembers = [
    ['content', trace],
    ['type', '2'],
    ['plan_id[]', planId],
  ] as const
  await released(person, [...forMembers, ['has_image_file[]', image], ['image_alt[]', trace]])
  await released(person, [...text(trace), ['has_image_file[]', face]])
  await setPicture(db, person.id, 'avatar', face)
  await setNextPlanPicture(db, planId, face)
  // Written by the test instead of by the job.
  const folder = storedAt(world, 'media', image)
  await mkdir(folder)
  await writeFile(path.join(folder, 'w480.webp'), trace)
  const soldPostId = await addSoldPost(world, person, other, trace)
  const bought = await released(other, [...text('別の人の投稿'), ['has_image_file[]', otherUpload]])
  await addPurchase(db, bought, person.id, 500, now)
  return { soldPostId, othersUploads: [otherUpload] }
}

async function fillAccount(world: World, person: Member, other: Member, trace: string): Promise<void> {
  const run = (statement: string, values: readonly unknown[]) => world.database.executeSql(statement, values)
  const at = new Date(world.clock.now).toISOString()
  const { id } = person
  await run(`update users set bio = $2, name = $2, identified_at = $3 where id = $1`, [id, trace, at])
  await run(
    `insert into registrations (id, email, password_hash, name, birth_date, token_hash, claim_hash, created_at, expires_at)
     values ($1, $2, '', $3, '1990-01-01', gen_random_uuid()::text, '', $4, $4)`,
    [newId(), person.email, trace, at],
  )
  await run(
    `insert into mail_codes (id, user_id, purpose, email, code_hash, created_at, expires_at)
     values ($1, $2, 'change_email', $3, '', $4, $4)`,
    [newId(), id, `${trace}@example.com`, at],
  )
  await run(
    `insert into passkeys (id, user_id, public_key, counter, transports, backed_up, name, created_at)
     values ($1, $2, '', 0, '[]', false, $1, $3)`,
    [trace, id, at],
  )
  await run(
    `insert into passkey_challenges (id, user_id, challenge, purpose, expires_at) values ($1, $2, $3, 'add', $4)`,
    [newId(), id, trace, at],
  )
  const zip = newId()
  await writeFile(storedAt(world, 'exports', `${zip}.zip`), trace)
  await run(`insert into data_exports (id, user_id, state, created_at) values ($1, $2, 'ready', $3)`, [
    zip,
    id,
    at,
  ])
  await run(`insert into known_devices (user_id, device, seen_at) values ($1, $2, $3)`, [id, trace, at])
  await run(`insert into remembered_devices (user_id, device_id, seen_at) values ($1, $2, $3)`, [
    id,
    newId(),
    at,
  ])
  await run(`insert into reset_refusals (user_id, until) values ($1, $2)`, [id, at])
  await run(`insert into user_details (user_id, legal_name, updated_at) values ($1, $2, $3)`, [id, trace, at])
  await run(
    `insert into user_settings (user_id, message_from, shows_age_limited, shows_presence, seen_at, updated_at)
     values ($1, 'nobody', true, true, $2, $2) on conflict do nothing`,
    [id, at],
  )
  await run(
    `insert into notification_settings (user_id, setting_cd, in_app, push, mail) values ($1, 'message', true, true, true)`,
    [id],
  )
  for (const pair of [
    [id, other.id],
    [other.id, id],
  ])
    await run(`insert into blocks (blocker_id, blocked_id, created_at) values ($1, $2, $3)`, [...pair, at])
}

async function fillReactions(world: World, person: Member, other: Member, postId: string, trace: string) {
  const run = (statement: string, values: readonly unknown[]) => world.database.executeSql(statement, values)
  const at = new Date(world.clock.now).toISOString()
  const [otherPost] = (
    await world.database.executeSql(`select id from posts where author_id = $1`, [other.id])
  ).rows as { id: string }[]
  for (const pair of [
    [person.id, other.id],
    [other.id, person.id],
  ]) {
    await run(`insert into follows (follower_id, followed_id, created_at) values ($1, $2, $3)`, [...pair, at])
    await run(`insert into mutes (muter_id, muted_id, created_at) values ($1, $2, $3)`, [...pair, at])
    const isReporter = pair[0] === person.id
    await fillCase(world, pair, { detail: isReporter ? trace : '', about: isReporter ? '' : trace }, at)
  }
  await run(`update reports set quoted = jsonb_build_object('bio', $2::text) where owner_id = $1`, [
    person.id,
    trace,
  ])
  const [answered, lone, reply] = [newId(), newId(), newId()]
  for (const [id, author, content, parent] of [
    [answered, person.id, trace, null],
    [lone, person.id, trace, null],
    [reply, other.id, '別の人の返信', answered],
  ])
    await run(
      `insert into comments (id, post_id, author_id, content, parent_id, created_at) values ($1, $2, $3, $4, $5, $6)`,
      [id, otherPost?.id, author, content, parent, at],
    )
  for (const post of [postId, otherPost?.id])
    await run(`insert into post_likes (post_id, user_id, created_at) values ($1, $2, $3)`, [
      post,
      person.id,
      at,
    ])
  await run(`insert into comment_likes (comment_id, user_id, created_at) values ($1, $2, $3)`, [
    reply,
    person.id,
    at,
  ])
  await run(`insert into withdrawn_keys (author_id, key, withdrawn_at) values ($1, $2, $3)`, [
    person.id,
    newId(),
    at,
  ])
  await run(`insert into post_readings (post_id, day, kind, user_id) values ($1, $2, 'view', $3)`, [
    otherPost?.id,
    at.slice(0, 10),
    person.id,
  ])
  await run(`insert into act_numbers (user_id, about, source, number, at) values ($1, $2, $3, 1, $4)`, [
    person.id,
    `like post ${postId}`,
    newId(),
    at,
  ])
}

/** Adds notifications: one of this person, one with this person and another actor, one with this person alone. */
async function fillNotifications(world: World, person: Member, other: Member, trace: string): Promise<void> {
  const run = (statement: string, values: readonly unknown[]) => world.database.executeSql(statement, values)
  const at = new Date(world.clock.now).toISOString()
  const third = await signUp(world)
  for (const [owner, key, ...actors] of [
    [person, 'own', other],
    [other, 'shared', third, person],
    [other, 'alone', person],
  ] as const) {
    const notificationId = newId()
    await run(
      `insert into notifications (id, user_id, setting_cd, group_key, idol_id, in_app, created_at, updated_at)
       values ($1, $2, 'follow', $3, $4, true, $5, $5)`,
      [notificationId, owner.id, key, actors.at(-1)?.id, at],
    )
    for (const actor of actors)
      await run(`insert into notification_actors (notification_id, actor_id, at) values ($1, $2, $3)`, [
        notificationId,
        actor.id,
        at,
      ])
  }
  await run(
    `insert into push_subscriptions (id, user_id, session_id, endpoint, p256dh, auth, created_at)
     select $1, user_id, id, $2, '', '', $3 from sessions where user_id = $4`,
    [newId(), trace, at, person.id],
  )
}

async function fillIdentity(world: World, person: Member, trace: string): Promise<void> {
  const run = (statement: string, values: readonly unknown[]) => world.database.executeSql(statement, values)
  const at = new Date(world.clock.now).toISOString()
  const [check, file] = [newId(), newId()]
  await writeFile(storedAt(world, 'identity', file), trace)
  await run(
    `insert into identity_prompts (id, user_id, prompts, created_at, expires_at) values ($1, $2, '[]', $3, $3)`,
    [newId(), person.id, at],
  )
  await run(
    `insert into identity_checks (id, user_id, idempotency_key, state, document_kind, prompts, submitted_at, note)
     values ($1, $2, $1, 'approved', 'passport', '[]', $3, $4)`,
    [check, person.id, at, trace],
  )
  await run(
    `insert into identity_files (id, check_id, part, mime, length, sealed_key, created_at)
     values ($1, $2, 'front', 'image/jpeg', 1, $3, $4)`,
    [file, check, trace, at],
  )
  const role = { role: 'member', by: 'ADMIN_EMAILS' } as const
  const entry = { actorId: newId(), act: 'role.set', subjectKind: 'user', subjectId: person.id } as const
  await world.deps.audit({ ...entry, detail: role, ip: '192.0.2.1' })
}
