// Conversations of a person with rows in every table of messages.
import { newId } from '#contract/ids.ts'
import { attachToMessage } from '#server/store/messages/message-media.ts'
import { holdUploads } from '#server/store/media/media.ts'
import { jpeg } from '#server/testing/pictures.ts'
import { type Member, upload } from './members.ts'
import type { World } from '#server/testing/world.ts'

/**
 * Adds messages in both directions. What a person wrote stays for the other one, so it has no trace; the name of its
 * picture has one.
 */
export async function fillMessages(
  world: World,
  person: Member,
  other: Member,
  trace: string,
): Promise<void> {
  const run = (statement: string, values: readonly unknown[]) => world.database.executeSql(statement, values)
  const at = new Date(world.clock.now).toISOString()
  const [conversation, own, received] = [newId(), newId(), newId()]
  await run(
    `insert into conversations (id, pair, last_seq, last_change, created_at) values ($1, $2, 2, 2, $3)`,
    [conversation, [person.id, other.id].toSorted().join(':'), at],
  )
  for (const id of [person.id, other.id])
    await run(
      `insert into conversation_members (conversation_id, user_id, state, pinned_at, muted, last_at)
       values ($1, $2, 'accepted', $3, true, $3)`,
      [conversation, id, at],
    )
  for (const [n, id, sender] of [
    [1, own, person],
    [2, received, other],
  ] as const)
    await run(
      `insert into messages (id, conversation_id, seq, change, sender_id, content, sent_at)
       values ($1, $2, $3, $3, $4, 'こんにちは', $5)`,
      [id, conversation, n, sender.id, at],
    )
  await run(`insert into message_reactions (message_id, user_id, reaction) values ($1, $2, 'heart')`, [
    received,
    person.id,
  ])
  await run(
    `insert into hidden_messages (message_id, user_id, conversation_id, number) values ($1, $2, $3, 2)`,
    [own, person.id, conversation],
  )
  await run(
    `insert into message_search (user_id, message_id, conversation_id, seq, sent_at, grams, folded)
     values ($1, $2, $3, 2, $4, '', $5)`,
    [person.id, received, conversation, at, trace],
  )
  await fillBroadcasts(world, person, other, trace)
  await fillReport(world, person, other, received)
  const picture = await upload(world, person, await jpeg(), `${trace}.jpg`)
  const held = [{ id: picture, kind: 'image', mime: 'image/jpeg', duration: null }] as const
  await holdUploads(world.deps.db, held, world.clock.now)
  await attachToMessage(world.deps.db, own, [picture])
}

/** A broadcast of the person, and one that reaches them. */
async function fillBroadcasts(world: World, person: Member, other: Member, trace: string): Promise<void> {
  const run = (statement: string, values: readonly unknown[]) => world.database.executeSql(statement, values)
  const at = new Date(world.clock.now).toISOString()
  for (const [creator, recipient, content] of [
    [person, other, trace],
    [other, person, 'お知らせ'],
  ] as const) {
    const broadcast = newId()
    await run(
      `insert into broadcasts (id, creator_id, content, plan_ids, created_at) values ($1, $2, $3, '{}', $4)`,
      [broadcast, creator.id, content, at],
    )
    await run(`insert into broadcast_recipients (broadcast_id, user_id, message_id) values ($1, $2, $3)`, [
      broadcast,
      recipient.id,
      newId(),
    ])
  }
}

/** A report of a received message, with copies of both messages. */
async function fillReport(world: World, person: Member, other: Member, received: string): Promise<void> {
  const run = (statement: string, values: readonly unknown[]) => world.database.executeSql(statement, values)
  const at = new Date(world.clock.now).toISOString()
  const [report, caseId] = [newId(), newId()]
  await run(
    `insert into cases (id, target_kind, target_id, owner_id, state, reports, since)
     values ($1, 'message', $2, $3, 'open', 1, $4)`,
    [caseId, received, other.id, at],
  )
  await run(
    `insert into reports (id, case_id, reporter_id, owner_id, target_kind, target_id, reason, detail, quoted, created_at)
     values ($1, $2, $3, $4, 'message', $5, 'spam', '', '{}', $6)`,
    [report, caseId, person.id, other.id, received, at],
  )
  for (const [n, sender] of [
    [1, person],
    [2, other],
  ] as const)
    await run(`insert into reported_messages (report_id, seq, sender_id, sealed) values ($1, $2, $3, 'x')`, [
      report,
      n,
      sender.id,
    ])
}
