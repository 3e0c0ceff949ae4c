// Finds a reported message, and copies it with those around it for the moderator.
import type { ReplyOf } from '#contract/endpoint.ts'
import type { listReportableMessages } from '#contract/messages/reportable.ts'
import type { Secrets } from '#server/adapters/secrets.ts'
import { findPeople } from '#server/store/people/people.ts'
import {
  findReportable,
  listReportable,
  messagesBetween,
  type QuotedMessage,
} from '#server/store/messages/reportable.ts'
import { dateOf } from '#server/store/statement.ts'
import type { MessageCopy } from '#server/store/reactions/reports.ts'
import { sealCopy } from '#server/services/people/sealed-copy.ts'
import type { Db } from '#server/store/database.ts'

interface Ports {
  readonly db: Db
  readonly secrets: Secrets
  /** Milliseconds since 1970. */
  readonly clock: () => number
}

/** What a report is about. */
export interface ReportedTarget {
  readonly ownerId: string
  /** A copy: later changes and deletions do not affect it. */
  readonly quoted: Readonly<Record<string, string>>
}

/** How long a message can be reported after the reporter no longer sees it, ms. */
const REPORTABLE_MS = 30 * 24 * 3600_000
/** Messages before and after the reported one that are copied with it: 20 together. */
const BEFORE = 10
const AFTER = 9

/** Messages of a person that the viewer may report. */
export async function reportableOf(
  { db, clock }: Ports,
  viewerId: string,
  otherId: string,
): Promise<ReplyOf<typeof listReportableMessages>> {
  const rows = await listReportable(db, viewerId, otherId, clock() - REPORTABLE_MS)
  return {
    messages: rows.map((it) => ({
      id: it.id,
      sent_at: dateOf(it.sentAt).toISOString(),
      excerpt: it.excerpt,
      media_count: it.mediaCount,
    })),
  }
}

/**
 * The sender may be suspended or leaving: people write such messages and go. Once their account is deleted there is nothing
 * to decide about them.
 */
export async function messageTarget(
  { db, clock }: Ports,
  viewerId: string,
  messageId: string,
): Promise<ReportedTarget | undefined> {
  const message = await findReportable(db, messageId, viewerId, clock() - REPORTABLE_MS)
  const sender = message && (await findPeople(db, [message.senderId])).get(message.senderId)
  if (!message || !sender || sender.state === 'gone') return undefined
  return { ownerId: message.senderId, quoted: { name: sender.name } }
}

/**
 * Encrypted copies of a reported message and of those around it. Messages that the reporter has deleted for themselves are
 * among them, so that a reporter cannot choose what the moderator sees.
 */
export async function copiesAround(
  { db, secrets, clock }: Ports,
  viewerId: string,
  messageId: string,
  reportId: string,
): Promise<MessageCopy[]> {
  const message = await findReportable(db, messageId, viewerId, clock() - REPORTABLE_MS)
  if (!message) return []
  const { conversationId, seq } = message
  const all = await messagesBetween(db, conversationId, seq - BEFORE, seq + AFTER)
  return all.map((it) => ({
    seq: it.seq,
    senderId: it.senderId,
    sealed: sealCopy(secrets, reportId, it.seq, contentOf(it)),
  }))
}

const contentOf = ({ id, content, postId, sentAt, unsentAt }: QuotedMessage) => ({
  id,
  content: unsentAt === null ? content : null,
  postId,
  sentAt: sentAt.toISOString(),
})
