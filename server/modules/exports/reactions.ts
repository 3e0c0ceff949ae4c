// Reactions and social data of a person in their zip.
import type { Deps } from '#server/deps.ts'
import { listInquiriesOf } from '#server/store/inquiries/inquiries.ts'
import type { Db } from '#server/store/database.ts'
import { ownReadings } from '#server/store/analytics/readings.ts'
import { ownPeople, ownRows } from '#server/store/accounts/own-data.ts'
import { appealsOf } from '#server/store/moderation/decisions.ts'
import { commentColumns } from '#server/store/personal/content.ts'
import { exportedRow } from '#server/store/personal/duties.ts'
import { measuresOf } from '#server/store/moderation/measures.ts'

const person = (it: { id: string; name: string; createdAt: Date }) => ({
  id: it.id,
  name: it.name,
  since: it.createdAt,
})

/** People whom the person follows, mutes or blocks. The opposite direction is data of those people. */
export async function peopleOf(db: Db, userId: string) {
  return {
    following: (await ownPeople.follows(db, userId)).map(person),
    muted: (await ownPeople.mutes(db, userId)).map(person),
    blocked: (await ownPeople.blocks(db, userId)).map(person),
  }
}

/** The person's notifications, without names of actors, which are data of those people. */
export async function notificationsOf(db: Db, userId: string) {
  return (await ownRows.notifications(db, userId)).map((it) => ({
    id: it.id,
    setting_cd: it.settingCd,
    idol_id: it.idolId,
    target_id: it.targetId,
    target_sub_1_id: it.targetSub1Id,
    target_sub_2_id: it.targetSub2Id,
    to_user_id: it.toUserId,
    created_at: it.createdAt,
    updated_at: it.updatedAt,
    read_at: it.readAt,
  }))
}

/** Readings of the last days; earlier ones are sums without the person. */
export async function readingsOf(db: Db, userId: string) {
  return (await ownReadings(db, userId)).map((it) => ({ post_id: it.postId, day: it.day, kind: it.kind }))
}

/** A report is exported with its author's text, not with the quoted text, which is another person's. */
export async function reactionsOf(db: Db, userId: string) {
  return {
    post_likes: (await ownRows.postLikes(db, userId)).map((it) => ({ post_id: it.postId, at: it.createdAt })),
    comment_likes: (await ownRows.commentLikes(db, userId)).map((it) => ({
      comment_id: it.commentId,
      at: it.createdAt,
    })),
    comments: (await ownRows.comments(db, userId)).map((it) => exportedRow(commentColumns, it)),
    reports: (await ownRows.reports(db, userId)).map((it) => ({
      kind: it.targetKind,
      target_id: it.targetId,
      reason: it.reason,
      detail: it.detail,
      decided: it.state !== 'open',
      created_at: it.createdAt,
      decided_at: it.decidedAt,
      answer: it.answer,
    })),
    decisions: await decisionsOf(db, userId),
    // A word of another person's list is that person's.
    holds: (await ownRows.holds(db, userId)).map((it) => ({
      kind: it.targetKind,
      target_id: it.targetId,
      reason: it.reason,
      word: it.reviewer === 'staff' ? it.word : '',
      state: it.state,
      created_at: it.createdAt,
      ended_at: it.endedAt,
    })),
  }
}

/** Decisions of the operator about the person with their measures and appeals, without who decided and reported. */
async function decisionsOf(db: Db, userId: string) {
  const rows = (await ownRows.decisions(db, userId)).filter((it) => it.outcome === 'acted')
  const ids = rows.map((it) => it.id)
  const [measures, appeals] = [await measuresOf(db, ids), await appealsOf(db, ids)]
  return rows.map((it) => {
    const appeal = appeals.get(it.id)
    return {
      id: it.id,
      rule: it.rule,
      text: it.textToPerson,
      excerpt: it.excerpt,
      decided_at: it.decidedAt,
      undone_at: it.undoneAt,
      measures: (measures.get(it.id) ?? []).map(({ kind, beganAt, until, endedAt }) => ({
        kind,
        began_at: beganAt,
        until,
        ended_at: endedAt,
      })),
      appeal: appeal
        ? { text: appeal.text, sent_at: appeal.sentAt, state: appeal.state, answer: appeal.answer }
        : null,
    }
  })
}

/** What the person sent at /contact with a session, and its state. */
export async function inquiriesOf({ db, secrets }: Pick<Deps, 'db' | 'secrets'>, userId: string) {
  return (await listInquiriesOf(db, userId)).map((it) => ({
    number: it.number,
    kind: it.kind,
    state: it.state,
    outcome: it.outcome,
    written:
      it.sealed === null
        ? null
        : (JSON.parse(secrets.open('inquiry', it.sealed, it.id).toString()) as object),
    created_at: it.createdAt,
    decided_at: it.decidedAt,
  }))
}
