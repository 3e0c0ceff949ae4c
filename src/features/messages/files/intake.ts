// Intake: checks picked files and stores them on the device, one after the other.
import { newId } from '#contract/ids.ts'
import { isFull } from '#device/database/database.ts'
import type { Media } from '#device/database/schema.ts'
import { copyFile } from '#device/files/import-file.ts'
import {
  addMessageFile,
  type Between,
  openMessageDraft,
  readMessageDraft,
  removeMessageFile,
} from '#device/jobs/message.ts'
import { convertPicked } from '#src/domain/media/prepare/convert.ts'
import { pictureProblem } from '#src/domain/media/prepare/examine.ts'
import { recognise } from '#src/domain/media/prepare/kind.ts'
import { storedPick } from '#src/domain/media/prepare/prepare.ts'
import { makeRoom } from '#src/domain/media/storage-room.ts'
import { guardLeaving } from '#src/lib/leave-guard.ts'
import { type PickProblem, problemOf, type RefusedFile } from './pick-problem.ts'
import { previewPicked } from './previews.ts'

/** Files are added in the order in which they were picked. */
let queue: Promise<unknown> = Promise.resolve()
/** Files that this page has added, by the ids of their rows. */
const pickedFiles = new Map<string, File>()

/**
 * Stores a picked file for the next message of a conversation; a photo is converted afterwards.
 * @returns why it was refused; undefined when it is stored, or was removed meanwhile
 */
export function addFile(between: Between, file: File): Promise<PickProblem | undefined> {
  const added = queue.then(() => add(between, file)).catch(problemOfError)
  queue = added
  return guardLeaving(added)
}

/**
 * Stores files again that the browser has cleared.
 * @param shown their rows, in their order
 * @returns files that this page did not add, or that could not be stored again
 */
export async function restoreFiles(between: Between, shown: readonly Media[]): Promise<RefusedFile[]> {
  const refused: RefusedFile[] = []
  for (const { id, name } of shown) {
    const file = pickedFiles.get(id)
    pickedFiles.delete(id)
    const why = file ? await addFile(between, file) : 'evicted'
    if (why) refused.push({ name, why })
  }
  return refused
}

function problemOfError(error: unknown): PickProblem {
  console.error('Upload error!', error)
  if (isFull(error)) return 'no_room'
  return error instanceof DOMException ? 'unreadable' : 'unconvertible'
}

async function add(between: Between, file: File): Promise<PickProblem | undefined> {
  const seen = await recognise(file)
  const there = (await readMessageDraft(between))?.media ?? []
  const why = problemOf(there, { kind: seen?.kind, size: file.size })
  if (why || !seen?.kind) return why ?? 'unsupported'
  if (seen.kind === 'video') {
    const { filmOf } = await import('#src/domain/media/film/video-client.ts')
    const { problem } = await filmOf(file)
    if (problem) return problem
  }
  const problem = await pictureProblem(file, seen, false)
  if (problem) return problem
  const pick = await storedPick(file, seen, false)
  if (!pick) return 'unconvertible'
  const room = await makeRoom(pick.file.size)
  const draft = await openMessageDraft(between, Date.now())
  const media = rowOf(draft.id, between.ownerId, pick.file, { kind: seen.kind, conversion: pick.conversion })
  // Most browsers cannot show a HEIC: its preview is that of the converted photo.
  if (seen.format !== 'heic') void previewPicked(media, pick.file)
  pickedFiles.set(media.id, file)
  const end = await copyFile(media, pick.file, !room, () => addMessageFile(media))
  if (end.is === 'full' || end.is === 'unreadable') {
    await removeMessageFile(draft.id, media.id)
    return end.is === 'full' ? 'no_room' : 'unreadable'
  }
  if (end.is !== 'removed' && pick.conversion.is === 'pending')
    void convertPicked(between.ownerId).catch((error: unknown) => console.error('Upload error!', error))
  return undefined
}

function rowOf(
  draftId: string,
  ownerId: string,
  { name, type, size }: File,
  as: Pick<Media, 'kind' | 'conversion'>,
): Media {
  return {
    id: newId(),
    draftId,
    ownerId,
    role: 'media',
    name,
    mime: type || 'application/octet-stream',
    size,
    duration: null,
    alt: '',
    bytes: { is: 'copying', stored: 0 },
    ...as,
    createdAt: Date.now(),
  }
}
