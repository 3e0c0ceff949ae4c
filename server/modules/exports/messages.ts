// Messages of a person in their zip, with the files that they sent.
import type { Deps } from '#server/deps.ts'
import { messageFolder, safeName } from '#server/rules/export-names.ts'
import { type OwnMessage, ownMessages } from '#server/store/messages/own-messages.ts'
import { messageColumns } from '#server/store/personal/content.ts'
import { exportedRow } from '#server/store/personal/duties.ts'
import { dateOf } from '#server/store/statement.ts'
import { type FileEntry, fileEntry } from './file-entry.ts'

/** Conversations with what the person wrote and received, and the files of the messages that they wrote. */
export async function gatherMessages(deps: Deps, userId: string) {
  const conversations = Map.groupBy(await ownMessages(deps.db, userId), (it) => it.otherId)
  const files: FileEntry[] = []
  const rows = []
  for (const [id, messages] of conversations) {
    const listed = []
    for (const it of messages) {
      const sent = await filesOf(deps, it)
      files.push(...sent.entries)
      listed.push(messageOf(it, sent.named))
    }
    rows.push({ with: { id, name: messages[0]?.name ?? '' }, messages: listed })
  }
  return { rows, files }
}

interface NamedFile {
  /** Null for a file of the other person, and for one that is missing. */
  readonly file: string | null
  readonly kind: 'image' | 'video'
  readonly mime: string
}

/** What the other person sent is theirs: its files are not in the zip. */
async function filesOf(
  deps: Deps,
  { id, isOwn, media, sentAt }: OwnMessage,
): Promise<{ entries: FileEntry[]; named: NamedFile[] }> {
  const [entries, named]: [FileEntry[], NamedFile[]] = [[], []]
  for (const [i, it] of (media ?? []).entries()) {
    const name = `${messageFolder(dateOf(sentAt), id)}/${i + 1}_${safeName(it.filename ?? '', it.id)}`
    const found = isOwn ? await fileEntry(deps, name, it.id) : []
    entries.push(...found)
    named.push({ file: found[0]?.name ?? null, kind: it.kind, mime: it.mime })
  }
  return { entries, named }
}

const messageOf = (
  { sentAt, unsentAt, replyTo: replyToId, ...it }: OwnMessage,
  files: readonly NamedFile[],
) =>
  exportedRow(
    messageColumns,
    { ...it, replyToId, sentAt: dateOf(sentAt), unsentAt: unsentAt === null ? null : dateOf(unsentAt) },
    { id: { from: it.isOwn ? 'me' : 'them' }, content: { files }, replyToId: { reaction: it.reaction } },
  )
