// Intake: picked files on their way into a draft, one after the other: looked at, judged, prepared.
import type { MediaKind } from '#contract/media.ts'
import type { Draft, Media } from '#device/schema.ts'
import { recognise } from '#src/lib/prepare/kind.ts'
import { prepare } from '#src/lib/prepare/prepare.ts'
import { ownRestrictions, restrictionProblem } from './restrictions.ts'
import { problemOf, type FileProblem } from './rules.ts'

export type PickedRole = 'media' | 'thumbnail'

export type Refused =
  | { name: string; why: FileProblem; room?: { needed: number; free: number } }
  | { name: string; why: 'restricted'; says: string }

/** What the intake needs of its editor. */
export interface IntakeDesk {
  draft: () => Draft
  /** The draft's media of role `media`. */
  there: () => Media[]
  take: (file: File, kind: MediaKind, role: PickedRole) => Promise<void>
  refuse: (refused: Refused) => void
  /** How many files are on their way. */
  waiting: (count: number) => void
}

/** A DOMException comes from a full device or from reading the file, anything else from preparing it. */
function whyOf(error: unknown): FileProblem {
  if (!(error instanceof DOMException)) return 'unconvertible'
  return error.name === 'QuotaExceededError' ? 'no_room' : 'unreadable'
}

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
    for (const file of files) {
      this.#turn = this.#turn
        .then(() => this.#add(file, role))
        .catch((error: unknown) => this.#desk.refuse({ name: file.name, why: whyOf(error) }))
        .finally(() => this.#move(-1))
    }
    return this.#turn
  }

  /** Until nothing is on its way. */
  settled(): Promise<void> {
    return this.#turn
  }

  #move(by: number): void {
    this.#count += by
    this.#desk.waiting(this.#count)
  }

  async #add(file: File, role: PickedRole): Promise<void> {
    const { id, keepSize } = this.#desk.draft()
    const seen = await recognise(file)
    const there = role === 'media' ? this.#desk.there() : []
    const why = problemOf(there, { kind: seen?.kind, size: file.size })
    if (why || !seen?.kind) return this.#desk.refuse({ name: file.name, why: why ?? 'unsupported' })
    if (role === 'thumbnail' && seen.kind !== 'image')
      return this.#desk.refuse({ name: file.name, why: 'unsupported' })
    const ready = await prepare(file, seen, keepSize && role === 'media')
    if (!ready) return this.#desk.refuse({ name: file.name, why: 'unconvertible' })
    // The draft was sent or given up meanwhile; a file does not wander into the next one.
    if (id !== this.#desk.draft().id) return
    const rows = there.map((row) => ({ name: row.name, type: row.mime, size: row.size }))
    const says = role === 'media' ? restrictionProblem(ownRestrictions, rows, ready) : undefined
    if (says) return this.#desk.refuse({ name: file.name, why: 'restricted', says })
    await this.#desk.take(ready, seen.kind, role)
  }
}
