// Files picked for a message, and its submission as a job with files.
import { newId } from '#contract/ids.ts'
import { emitChange } from '#device/database/changes.ts'
import { transact, type Tx } from '#device/database/database.ts'
import { parseRow, parseRows } from '#device/database/rows.ts'
import type { Media, MessageDraft } from '#device/database/schema.ts'
import { eraseMedia } from '#device/files/chunks.ts'
import type { MessageJob } from './job-rows.ts'
import { newFile, noFailures } from './new-files.ts'

/** A conversation, by its two people. */
export interface Between {
  readonly ownerId: string
  readonly recipientId: string
}

type AnyTx = Tx | Tx<'readonly'>

/** The picked files of a conversation's unsent message, in their order. */
export interface PickedFiles {
  readonly draft: MessageDraft
  readonly media: readonly Media[]
}

/** Reads the files that are picked for the next message; `undefined` without any. */
export function readMessageDraft(between: Between): Promise<PickedFiles | undefined> {
  return transact(['messageDrafts', 'media'], 'readonly', async (tx) => {
    const draft = await findIn(tx, between)
    return draft && { draft, media: await mediaIn(tx, draft) }
  })
}

/** Reads the draft of a conversation, or stores an empty one. */
export function openMessageDraft(between: Between, now: number): Promise<MessageDraft> {
  return transact(['messageDrafts'], 'readwrite', async (tx) => {
    const stored = await findIn(tx, between)
    if (stored) return stored
    const draft: MessageDraft = { id: newId(), ...between, mediaIds: [], createdAt: now }
    await tx.objectStore('messageDrafts').put(draft)
    return draft
  })
}

async function findIn(tx: AnyTx, { ownerId, recipientId }: Between): Promise<MessageDraft | undefined> {
  const rows = await tx.objectStore('messageDrafts').index('owner').getAll(ownerId)
  return parseRows('messageDrafts', rows).find((it) => it.recipientId === recipientId)
}

async function mediaIn(tx: AnyTx, { id, mediaIds }: MessageDraft): Promise<Media[]> {
  const rows = parseRows('media', await tx.objectStore('media').index('draft').getAll(id))
  return mediaIds.flatMap((mediaId) => rows.find((row) => row.id === mediaId) ?? [])
}

/**
 * Adds a picked file's row to its draft, in one transaction; its bytes follow by `copyFile`.
 * @returns false when the draft was sent or deleted
 */
export function addMessageFile(media: Media): Promise<boolean> {
  return changeDraft(media.draftId, async (tx, draft) => {
    await tx.objectStore('media').put(media)
    return { ...draft, mediaIds: [...draft.mediaIds, media.id] }
  })
}

/** Removes a file from its draft and deletes its bytes, in one transaction. The draft ends with its last file. */
export async function removeMessageFile(draftId: string, mediaId: string): Promise<void> {
  await changeDraft(draftId, async (tx, draft) => {
    if (!draft.mediaIds.includes(mediaId)) return draft
    await eraseMedia(tx, [mediaId])
    return { ...draft, mediaIds: draft.mediaIds.filter((it) => it !== mediaId) }
  })
}

async function changeDraft(
  draftId: string,
  to: (tx: Tx, draft: MessageDraft) => Promise<MessageDraft>,
): Promise<boolean> {
  const changed = await transact(['messageDrafts', 'media', 'chunks'], 'readwrite', async (tx) => {
    const draft = parseRow('messageDrafts', await tx.objectStore('messageDrafts').get(draftId))
    if (!draft) return false
    const next = await to(tx, draft)
    if (next.mediaIds.length === 0) await tx.objectStore('messageDrafts').delete(draftId)
    else await tx.objectStore('messageDrafts').put(next)
    return true
  })
  if (changed) emitChange({ store: 'messageDrafts', id: draftId })
  return changed
}

/** The words of a message with files. */
export interface MessageWords {
  /** '' for files alone. */
  readonly content: string
  readonly replyTo: string | null
  /** The recipient's name, for the screen. */
  readonly about: string
}

export type MessageSubmission =
  | { is: 'submitted'; job: MessageJob }
  /** Another tab has sent the shown files. */
  | { is: 'already' }
  /** Another tab has added or removed files. */
  | { is: 'changed' }
  /** The device no longer has the shown files: the browser has cleared its storage. */
  | { is: 'missing' }
  /** A file is not stored whole yet, or not converted. */
  | { is: 'incomplete' }

/** Whether a file can be sent after its page has closed, or from the page that holds it. */
export const isReadyToSend = ({ bytes, conversion }: Media): boolean =>
  bytes.is !== 'copying' && conversion.is === 'ready'

/**
 * Turns the shown files and a text into a job, in one transaction; a second submission changes nothing. Every file is
 * stored whole before, so that a page that closes now loses nothing. The files stay until the server has the message.
 * @param shown the rows of the files on screen, in their order
 */
export async function submitMessageDraft(
  between: Between,
  words: MessageWords,
  shown: readonly Media[],
  now: number,
): Promise<MessageSubmission> {
  const end = await transact(
    ['messageDrafts', 'media', 'jobs'],
    'readwrite',
    async (tx): Promise<MessageSubmission> => {
      const found = await findShownIn(tx, between, shown)
      if (found.is !== 'found') return found
      const job = jobOf(found.draft, found.media, words, now)
      await tx.objectStore('jobs').put(job)
      await tx.objectStore('messageDrafts').delete(job.id)
      return { is: 'submitted', job }
    },
  )
  if (end.is === 'submitted') {
    emitChange({ store: 'jobs', id: end.job.id })
    emitChange({ store: 'messageDrafts', id: end.job.id })
  }
  if (end.is === 'changed') emitChange({ store: 'messageDrafts', id: shown[0]?.draftId ?? '' })
  return end
}

/** Whether the device no longer has the shown files, although they were not sent. */
export function isMissing(between: Between, shown: readonly Media[]): Promise<boolean> {
  return transact(['messageDrafts', 'media', 'jobs'], 'readwrite', async (tx) => {
    return (await findShownIn(tx, between, shown)).is === 'missing'
  })
}

type FoundDraft =
  | { is: 'found'; draft: MessageDraft; media: readonly Media[] }
  | Exclude<MessageSubmission, { is: 'submitted' }>

/** Finds the draft whose files are on screen, or why they cannot be sent. */
async function findShownIn(tx: Tx, between: Between, shown: readonly Media[]): Promise<FoundDraft> {
  const draft = await findIn(tx, between)
  const shownId = shown[0]?.draftId ?? ''
  if (draft?.id !== shownId)
    return { is: (await tx.objectStore('jobs').getKey(shownId)) === undefined ? 'missing' : 'already' }
  const media = await mediaIn(tx, draft)
  const mediaIds = media.map((it) => it.id)
  // A file without a row is not on screen, and could not be removed there.
  if (media.length < draft.mediaIds.length) await tx.objectStore('messageDrafts').put({ ...draft, mediaIds })
  if (mediaIds.join() !== shown.map((it) => it.id).join()) return { is: 'changed' }
  return media.every(isReadyToSend) ? { is: 'found', draft, media } : { is: 'incomplete' }
}

function jobOf(
  { id, ownerId, recipientId }: MessageDraft,
  media: readonly Media[],
  { content, replyTo, about }: MessageWords,
  now: number,
): MessageJob {
  return {
    kind: 'message',
    id,
    ownerId,
    key: id,
    form: { recipientId, content, replyTo, about },
    files: media.map(newFile),
    stage: { is: 'open' },
    ...noFailures,
    createdAt: now,
  }
}

/** A message that is being sent, with the rows of its files. */
export interface SendingMessage {
  readonly job: MessageJob
  readonly media: readonly Media[]
}

/** This person's messages with files to one other person that are not delivered yet, oldest first. */
export function listSendingMessages({ ownerId, recipientId }: Between): Promise<SendingMessage[]> {
  return transact(['jobs', 'media'], 'readonly', async (tx) => {
    const rows = parseRows('jobs', await tx.objectStore('jobs').index('owner').getAll(ownerId))
    const found: SendingMessage[] = []
    for (const job of rows.toSorted((a, b) => a.createdAt - b.createdAt)) {
      if (job.kind !== 'message' || job.form.recipientId !== recipientId) continue
      const media = parseRows('media', await tx.objectStore('media').index('draft').getAll(job.id))
      found.push({ job, media })
    }
    return found
  })
}
