// Intake: checks picked files and adds them to the draft, one after the other.
import type { MediaKind } from '#contract/posts/media.ts'
import type { Conversion } from '#device/files/conversion-row.ts'
import type { Draft, Media } from '#device/database/schema.ts'
import { guardLeaving } from '#src/lib/leave-guard.ts'
import { pictureProblem } from '#src/domain/media/prepare/examine.ts'
import { nameWithTrueExtension, recognise, type Recognised } from '#src/domain/media/prepare/kind.ts'
import { isConverted, storedPick } from '#src/domain/media/prepare/prepare.ts'
import { filmOf } from '#src/domain/media/film/video-client.ts'
import {
  ownRestrictions,
  restrictionProblem,
  withoutSizes,
} from '#src/features/publish/editor/restrictions.ts'
import { problemOf, type FileProblem } from '#src/features/publish/editor/rules.ts'

export type PickedRole = 'media' | 'thumbnail'

export type Refused =
  | { name: string; why: FileProblem; room?: { needed: number; free: number } }
  | { name: string; why: 'restricted'; sentence: string }

/** Properties of a file in its draft. */
export interface AddedAs {
  kind: MediaKind
  role: PickedRole
  conversion: Conversion
}

/** The editor's functions that the intake uses. */
export interface IntakePorts {
  draft: () => Draft
  /** The draft's media of role `media`. */
  existing: () => Media[]
  add: (file: File, as: AddedAs) => Promise<void>
  refuse: (refused: Refused) => void
  /** Receives the number of files that are not added yet. */
  waiting: (count: number) => void
}

/** The problem of an error: a DOMException comes from storage or reading, others from preparation. */
function problemOfError(error: unknown): FileProblem {
  if (!(error instanceof DOMException)) return 'unconvertible'
  return error.name === 'QuotaExceededError' ? 'no_room' : 'unreadable'
}

/** The restriction that refuses a file. A photo is checked as what it becomes; its size is checked later. */
async function restrictedBy(
  there: readonly Media[],
  file: File,
  { format }: Recognised,
): Promise<string | undefined> {
  const sent = await sentForm(file, format)
  const rows = there.map(({ name, mime, size, conversion }) => {
    const pickedSize = conversion.is === 'ready' ? (conversion.pickedSize ?? size) : size
    return { name: name === file.name ? sent.name : sentName(name), type: mime, size: pickedSize }
  })
  if (!isConverted(format)) return restrictionProblem(ownRestrictions, rows, file)
  return restrictionProblem(withoutSizes(ownRestrictions), rows, { ...sent, size: file.size })
}

/** The name under which a picked HEIC is sent. */
const sentName = (name: string) => name.replace(/\.hei[cf]$/i, '.jpg')

/** Name and type under which a picked file is sent. */
async function sentForm(file: File, format: string): Promise<{ name: string; type: string }> {
  const { name, type } = file
  if (format === 'heic') return { name: sentName(name), type: 'image/jpeg' }
  if (format !== 'avif') return { name, type }
  const { avifForm } = await import('#src/domain/media/prepare/picture.ts')
  const form = await avifForm(file)
  return { name: nameWithTrueExtension(name, form.type === 'image/jpeg' ? 'jpg' : 'webp'), type: form.type }
}

export class Intake {
  readonly #ports: IntakePorts
  #count = 0
  #queue: Promise<void> = Promise.resolve()

  constructor(ports: IntakePorts) {
    this.#ports = ports
  }

  /** Resolves when these files, and all before them, were added or refused. */
  add(files: readonly File[], role: PickedRole): Promise<void> {
    this.#addToCount(files.length)
    // A file belongs to the draft for which it was picked, even if earlier files take long.
    const { id } = this.#ports.draft()
    for (const file of files) {
      this.#queue = this.#queue
        .then(() => this.#add(id, file, role))
        .catch((error: unknown) => this.#ports.refuse({ name: file.name, why: problemOfError(error) }))
        .finally(() => this.#addToCount(-1))
    }
    return guardLeaving(this.#queue)
  }

  /** Resolves when every file was added or refused. */
  idle(): Promise<void> {
    return this.#queue
  }

  #addToCount(by: number): void {
    this.#count += by
    this.#ports.waiting(this.#count)
  }

  async #add(draftId: string, file: File, role: PickedRole): Promise<void> {
    const isCurrent = () => draftId === this.#ports.draft().id
    if (!isCurrent()) return
    const { keepSize } = this.#ports.draft()
    const seen = await recognise(file)
    const there = role === 'media' ? this.#ports.existing() : []
    const why = problemOf(there, { kind: seen?.kind, size: file.size })
    if (why || !seen?.kind) return this.#ports.refuse({ name: file.name, why: why ?? 'unsupported' })
    if (role === 'thumbnail' && seen.kind !== 'image')
      return this.#ports.refuse({ name: file.name, why: 'unsupported' })
    const problem =
      seen.kind === 'video'
        ? (await filmOf(file)).problem
        : await pictureProblem(file, seen, keepSize && role === 'media')
    if (problem) return this.#ports.refuse({ name: file.name, why: problem })
    const taken = await storedPick(file, seen, keepSize && role === 'media')
    if (!taken) return this.#ports.refuse({ name: file.name, why: 'unconvertible' })
    // After the draft was sent or discarded, its files are not added to the next one.
    if (!isCurrent()) return
    const sentence = role === 'media' ? await restrictedBy(there, taken.file, seen) : undefined
    if (sentence) return this.#ports.refuse({ name: file.name, why: 'restricted', sentence })
    await this.#ports.add(taken.file, { kind: seen.kind, role, conversion: taken.conversion })
  }
}
