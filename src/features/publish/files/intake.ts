// Intake: picked files on their way into a draft, one after the other: looked at, judged, stored.
import type { MediaKind } from '#contract/posts/media.ts'
import type { Conversion } from '#device/files/conversion-row.ts'
import type { Draft, Media } from '#device/database/schema.ts'
import { guardLeaving } from '#src/lib/leave-guard.ts'
import { recognise, nameWithTrueExtension, type Recognised } from '#src/domain/media/prepare/kind.ts'
import { isConverted, prepare } from '#src/domain/media/prepare/prepare.ts'
import {
  ownRestrictions,
  restrictionProblem,
  withoutSizes,
} from '#src/features/publish/editor/restrictions.ts'
import { problemOf, type FileProblem } from '#src/features/publish/editor/rules.ts'

export type PickedRole = 'media' | 'thumbnail'

export type Refused =
  | { name: string; why: FileProblem; room?: { needed: number; free: number } }
  | { name: string; why: 'restricted'; says: string }

/** What a file becomes in its draft. */
export interface Taken {
  kind: MediaKind
  role: PickedRole
  conversion: Conversion
}

/** What the intake needs of its editor. */
export interface IntakeDesk {
  draft: () => Draft
  /** The draft's media of role `media`. */
  there: () => Media[]
  take: (file: File, as: Taken) => Promise<void>
  refuse: (refused: Refused) => void
  /** How many files are on their way. */
  waiting: (count: number) => void
}

/** A DOMException comes from a full device or from reading the file, anything else from preparing it. */
function whyOf(error: unknown): FileProblem {
  if (!(error instanceof DOMException)) return 'unconvertible'
  return error.name === 'QuotaExceededError' ? 'no_room' : 'unreadable'
}

function conversionOf({ format }: Recognised, keepSize: boolean): Conversion {
  return isConverted(format) ? { is: 'pending', format, keepSize, tries: 0 } : { is: 'ready' }
}

/** A photo is judged by what it will be; how large that is shows after its conversion. */
function restrictedBy(there: readonly Media[], file: File, { format }: Recognised): string | undefined {
  const rows = there.map(({ name, mime, size, conversion }) => {
    const pickedSize = conversion.is === 'ready' ? (conversion.pickedSize ?? size) : size
    return { name: sentName(name), type: mime, size: pickedSize }
  })
  const { size } = file
  if (!isConverted(format)) return restrictionProblem(ownRestrictions, rows, file)
  const type = format === 'heic' ? 'image/jpeg' : file.type
  return restrictionProblem(withoutSizes(ownRestrictions), rows, { name: sentName(file.name), type, size })
}

/** What a picked file is called when it is sent. */
const sentName = (name: string) => name.replace(/\.hei[cf]$/i, '.jpg')

export class Intake {
  readonly #desk: IntakeDesk
  #count = 0
  #turn: Promise<void> = Promise.resolve()

  constructor(desk: IntakeDesk) {
    this.#desk = desk
  }

  /** Ends when these files, and all before them, were taken or refused. */
  add(files: readonly File[], role: PickedRole): Promise<void> {
    this.#move(files.length)
    // A file belongs to the draft it was picked for, however long the files before it take.
    const { id } = this.#desk.draft()
    for (const file of files) {
      this.#turn = this.#turn
        .then(() => this.#add(id, file, role))
        .catch((error: unknown) => this.#desk.refuse({ name: file.name, why: whyOf(error) }))
        .finally(() => this.#move(-1))
    }
    return guardLeaving(this.#turn)
  }

  /** Until nothing is on its way. */
  settled(): Promise<void> {
    return this.#turn
  }

  #move(by: number): void {
    this.#count += by
    this.#desk.waiting(this.#count)
  }

  async #add(draftId: string, file: File, role: PickedRole): Promise<void> {
    const isCurrent = () => draftId === this.#desk.draft().id
    if (!isCurrent()) return
    const { keepSize } = this.#desk.draft()
    const seen = await recognise(file)
    const there = role === 'media' ? this.#desk.there() : []
    const why = problemOf(there, { kind: seen?.kind, size: file.size })
    if (why || !seen?.kind) return this.#desk.refuse({ name: file.name, why: why ?? 'unsupported' })
    if (role === 'thumbnail' && seen.kind !== 'image')
      return this.#desk.refuse({ name: file.name, why: 'unsupported' })
    const conversion = conversionOf(seen, keepSize && role === 'media')
    // A photo is stored as it was picked, and converted from there.
    const taken =
      conversion.is === 'ready'
        ? await prepare(file, seen, keepSize)
        : new File([file], nameWithTrueExtension(file.name, seen.format), { type: seen.mime })
    if (!taken) return this.#desk.refuse({ name: file.name, why: 'unconvertible' })
    // The draft was sent or discarded in the meantime: its files do not go into the next one.
    if (!isCurrent()) return
    const says = role === 'media' ? restrictedBy(there, taken, seen) : undefined
    if (says) return this.#desk.refuse({ name: file.name, why: 'restricted', says })
    await this.#desk.take(taken, { kind: seen.kind, role, conversion })
  }
}
