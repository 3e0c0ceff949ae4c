// Intake: checks picked files and adds them to the draft, in their order.
import type { MediaKind } from '#contract/posts/media.ts'
import type { Conversion } from '#device/files/conversion-row.ts'
import type { Draft, Media } from '#device/database/schema.ts'
import { guardLeaving } from '#src/lib/leave-guard.ts'
import { pictureProblem } from '#src/domain/media/prepare/examine.ts'
import { examineStored } from '#src/domain/media/prepare/examined.ts'
import { nameWithTrueExtension, recognise, type Recognised } from '#src/domain/media/prepare/kind.ts'
import { isConverted, storedPick, type StoredPick } from '#src/domain/media/prepare/prepare.ts'
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
  /**
   * Adds photos of the post, all at once. Resolves with their rows: none when the draft is no longer open, and `undefined`
   * when they have to be added one by one.
   */
  addPhotos: (draftId: string, photos: readonly StoredPick[]) => Promise<Media[] | undefined>
  /** Reads what was stored of a photo; `undefined` when it is not there any more. */
  stored: (media: Media) => Promise<Blob | undefined>
  remove: (mediaId: string) => Promise<void>
  refuse: (refused: Refused) => void
  /** Receives the number of files that are not added yet. */
  waiting: (count: number) => void
}

/** What is checked of the files before a picked one. */
type Existing = Pick<Media, 'kind' | 'name' | 'mime' | 'size' | 'conversion'>

/** The problem of an error: a DOMException comes from storage or reading, others from preparation. */
function problemOfError(error: unknown): FileProblem {
  if (!(error instanceof DOMException)) return 'unconvertible'
  return error.name === 'QuotaExceededError' ? 'no_room' : 'unreadable'
}

/** The restriction that refuses a file. A photo is checked as what it becomes; its size is checked later. */
async function restrictedBy(
  there: readonly Existing[],
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

/** A picked file, and what it is by its first bytes. */
interface Picked {
  readonly file: File
  readonly seen: Promise<Recognised | undefined>
}

/** A photo that may be added: photos are examined after they are stored. */
interface Accepted {
  readonly picked: File
  readonly seen: Recognised
  readonly taken: StoredPick
}

interface Unexamined extends Accepted {
  readonly media: Media
}

async function isPhoto({ seen }: Picked): Promise<boolean> {
  const recognised = await seen.catch(() => undefined)
  return recognised?.kind === 'image' && isConverted(recognised.format)
}

export class Intake {
  readonly #ports: IntakePorts
  #count = 0
  #storing: Promise<unknown> = Promise.resolve()
  #examining: Promise<void> = Promise.resolve()

  constructor(ports: IntakePorts) {
    this.#ports = ports
  }

  /** Resolves when these files, and all before them, were added or refused. */
  async add(files: readonly File[], role: PickedRole): Promise<void> {
    this.#addToCount(files.length)
    // A file belongs to the draft for which it was picked, even if earlier files take long.
    const { id } = this.#ports.draft()
    const picks = files.map((file) => ({ file, seen: recognise(file) }))
    for (const { seen } of picks) seen.catch(() => undefined)
    const storing = this.#storing.then(() => this.#store(id, picks, role))
    this.#storing = storing
    this.#examining = Promise.all([storing, this.#examining]).then(([photos]) => this.#examineAll(photos))
    const examining = this.#examining
    await guardLeaving(storing)
    await examining
  }

  /** Resolves when every file was added or refused. */
  idle(): Promise<void> {
    return this.#examining
  }

  #addToCount(by: number): void {
    this.#count += by
    this.#ports.waiting(this.#count)
  }

  #isCurrent(draftId: string): boolean {
    return draftId === this.#ports.draft().id
  }

  /**
   * Adds files in their order: photos of the post that follow one another at once, all others one by one.
   * @returns the photos that are to be examined
   */
  async #store(draftId: string, picks: readonly Picked[], role: PickedRole): Promise<Unexamined[]> {
    const stored: Unexamined[] = []
    let photos: Picked[] = []
    for (const pick of picks) {
      if (role === 'media' && (await isPhoto(pick))) {
        photos.push(pick)
        continue
      }
      stored.push(...(await this.#storePhotos(draftId, photos)))
      photos = []
      await this.#storeOne(draftId, pick, role)
    }
    return [...stored, ...(await this.#storePhotos(draftId, photos))]
  }

  /** Adds photos all at once, or one by one where that is not possible. @returns those that were added at once */
  async #storePhotos(draftId: string, photos: readonly Picked[]): Promise<Unexamined[]> {
    const [accepted, there]: [Accepted[], Existing[]] = [[], this.#ports.existing()]
    const left = new Set(photos)
    for (const pick of photos) {
      const taken = await this.#guarded(pick.file, () => this.#accept(draftId, pick, there))
      if (!taken) {
        left.delete(pick)
        this.#addToCount(-1)
        continue
      }
      accepted.push(taken)
      const { file, conversion } = taken.taken
      there.push({ kind: 'image', name: file.name, mime: file.type, size: file.size, conversion })
    }
    if (accepted.length === 0) return []
    const taken = accepted.map((it) => it.taken)
    const rows = await this.#ports.addPhotos(draftId, taken).catch(logged)
    if (!rows) {
      for (const pick of left) await this.#storeOne(draftId, pick, 'media')
      return []
    }
    this.#addToCount(-accepted.length)
    return rows.flatMap((media, n) => {
      const photo = accepted[n]
      return photo ? [{ ...photo, media }] : []
    })
  }

  /** Adds one file after its examination. */
  async #storeOne(draftId: string, pick: Picked, role: PickedRole): Promise<void> {
    await this.#guarded(pick.file, () => this.#add(draftId, pick, role))
    this.#addToCount(-1)
  }

  /** Refuses the file when the work on it fails. */
  async #guarded<T>(file: File, work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work()
    } catch (error) {
      this.#ports.refuse({ name: file.name, why: problemOfError(error) })
      return undefined
    }
  }

  /** @returns `undefined` when the photo was refused, or its draft is no longer open */
  async #accept(
    draftId: string,
    { file, seen: reading }: Picked,
    there: readonly Existing[],
  ): Promise<Accepted | undefined> {
    const seen = await reading
    if (!seen || !this.#isCurrent(draftId)) return undefined
    const { keepSize } = this.#ports.draft()
    const why = problemOf(there, { kind: seen.kind, size: file.size })
    const taken = why ? undefined : await storedPick(file, seen, keepSize)
    const sentence = taken && (await restrictedBy(there, taken.file, seen))
    if (taken && sentence === undefined) return { picked: file, seen, taken }
    this.#ports.refuse(
      sentence === undefined
        ? { name: file.name, why: why ?? 'unconvertible' }
        : { name: file.name, why: 'restricted', sentence },
    )
    return undefined
  }

  async #add(draftId: string, { file, seen: reading }: Picked, role: PickedRole): Promise<void> {
    if (!this.#isCurrent(draftId)) return
    const { keepSize } = this.#ports.draft()
    const seen = await reading
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
    if (!this.#isCurrent(draftId)) return
    const sentence = role === 'media' ? await restrictedBy(there, taken.file, seen) : undefined
    if (sentence) return this.#ports.refuse({ name: file.name, why: 'restricted', sentence })
    await this.#ports.add(taken.file, { kind: seen.kind, role, conversion: taken.conversion })
  }

  async #examineAll(photos: readonly Unexamined[]): Promise<void> {
    for (const photo of photos) await this.#examine(photo)
  }

  /** Takes a stored photo out of its draft again that the server would refuse. */
  async #examine({ media, picked, seen: recognised, taken }: Unexamined): Promise<void> {
    const keepSize = taken.conversion.is === 'pending' && taken.conversion.keepSize
    const examined = { mediaId: media.id, recognised, keepSize }
    const examine = async (): Promise<FileProblem | undefined> => {
      const stored = await this.#ports.stored(media)
      return stored && examineStored(new File([stored], picked.name, { type: taken.file.type }), examined)
    }
    const problem = await examine().catch(problemOfError)
    if (!problem || !this.#isCurrent(media.draftId)) return
    this.#ports.refuse({ name: picked.name, why: problem })
    await this.#ports.remove(media.id).catch(logged)
  }
}

function logged(error: unknown): undefined {
  console.error('Upload error!', error)
}
