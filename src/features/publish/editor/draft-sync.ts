// Synchronizes the displayed draft with the draft on the device.
import { copyOf, editDraft, replaceForm, syncEdits } from '#device/drafts/draft-edits.ts'
import { formOf, mergeForm, sameForm, type DraftForm, writtenText } from '#device/drafts/draft-merge.ts'
import type { Draft } from '#device/database/schema.ts'
import type { DraftNotes } from './draft-notes.ts'

export interface SyncView {
  /** The displayed draft, with the revision of the stored version from which it was made. */
  draft: Draft
  /** Whether the last change is not stored. */
  unsaved: boolean
  /** The conflicting version that another tab stored; the person chooses one of the two. */
  conflict: Draft | null
}

export type SyncEvent =
  | 'changed'
  /** Another tab submitted the draft. */
  | 'submitted'
  /** Another version of the app wrote the row. */
  | 'unreadable'

/** Wait before a refused write is tried again, ms. */
const RETRY_MS = 5000
/** Idle time after which writes are synced to the disk, ms. */
const REST_MS = 1000

export class DraftSync {
  /** The stored version on which the displayed draft is based; revision 0 for none. */
  #base: Draft
  #shown: Draft
  #unsaved = false
  #conflict: Draft | null = null
  /** The separate draft with this tab's text during a conflict. */
  #separate: Draft | null = null
  #writing: Promise<void> | null = null
  /** Timer of the next try of a refused write, or of the next sync. */
  #timer: ReturnType<typeof setTimeout> | undefined
  readonly #notes: DraftNotes
  readonly #onEvent: (event: SyncEvent) => void

  constructor(draft: Draft, notes: DraftNotes, onEvent: (event: SyncEvent) => void) {
    this.#base = draft
    this.#shown = draft
    this.#notes = notes
    this.#onEvent = onEvent
  }

  view(): SyncView {
    return { draft: this.#shown, unsaved: this.#unsaved, conflict: this.#conflict }
  }

  /**
   * Changes text or settings, which are shown at once and stored after a running write. Until then they are a note: a
   * busy device may end the page without an event.
   */
  edit(change: Partial<DraftForm>): void {
    this.#shown = { ...this.#shown, ...change }
    this.#note()
    this.#onEvent('changed')
    void this.save()
  }

  /** Resolves when the displayed draft is stored or the device refused it (`unsaved`). Never rejects. */
  save(): Promise<void> {
    this.#writing ??= this.#write().finally(() => (this.#writing = null))
    return this.#writing
  }

  /** Merges a version that was read from the device with this tab's unsaved fields. */
  take(stored: Draft): void {
    if (stored.revision < this.#base.revision) return
    const merged = this.#conflict ? undefined : mergeForm(this.#base, this.#shown, stored)
    if (merged) this.#resolveConflict(stored, merged)
    else this.#startConflict(stored)
    if (this.#isPending()) void this.save()
  }

  /** Shows files in a new order, which the editor stores. */
  reorder(mediaIds: string[]): void {
    this.#shown = { ...this.#shown, mediaIds }
    this.#onEvent('changed')
  }

  /** Stores the whole draft again after its eviction. */
  async restore(): Promise<void> {
    await this.#writing
    await this.#guarded(() => this.#writeForm(this.#shown))
  }

  /** Resolves a conflict; the version that is not chosen stays as a separate draft. */
  async choose(version: 'shown' | 'stored'): Promise<void> {
    await this.save()
    const stored = this.#conflict
    if (!stored || this.#unsaved) return
    if (version === 'stored') return this.#resolveConflict(stored, stored)
    const separate = this.#separate ?? copyOf(stored, Date.now())
    await this.#guarded(async () => {
      const end = await replaceForm(stored, this.#shown, separate.id, Date.now())
      if (end.is === 'stored') this.#resolveConflict(end.draft, { ...end.draft, ...formOf(this.#shown) })
      else if (end.is === 'conflict') this.#startConflict(end.stored)
      else this.#onEvent(end.is)
    })
    if (this.#isPending()) await this.save()
  }

  /**
   * Stores the displayed draft as a new draft if it differs from the submitted one.
   * @param submitted the submitted form; by default the stored version on which this tab is based
   */
  async fork(submitted: DraftForm = this.#base): Promise<boolean> {
    const shown = this.#shown
    if (this.#conflict || sameForm(submitted, shown) || writtenText(shown) === '') return false
    const copy = copyOf(shown, Date.now())
    await editDraft(copy, copy, Date.now())
    return true
  }

  /** Stores unsaved changes, or writes stored ones to the disk, since the page may end. */
  flush(): void {
    if (this.#isPending()) {
      this.#note()
      void this.save()
    } else if (this.#timer !== undefined) void this.#sync()
  }

  /** Ends the retries when the editor is closed; unsaved changes are stored as by `flush`. */
  close(): void {
    this.flush()
    clearTimeout(this.#timer)
  }

  /** Ends writing after the draft was submitted. */
  end(): void {
    clearTimeout(this.#timer)
    this.#notes.remove(this.#shown.id)
  }

  /** Whether the displayed draft has changes that are not stored. */
  #isPending(): boolean {
    if (this.#conflict) return !this.#separate || !sameForm(this.#separate, this.#shown)
    return !sameForm(this.#base, this.#shown)
  }

  /** Stores unsaved changes in local storage synchronously. */
  #note(): void {
    if (this.#isPending()) this.#notes.save({ base: formOf(this.#base), draft: this.#shown })
    else this.#notes.remove(this.#shown.id)
  }

  async #write(): Promise<void> {
    await this.#guarded(async () => {
      while (this.#isPending()) {
        const isWritten = await (this.#conflict ? this.#writeSeparate() : this.#writeForm(this.#shown))
        if (!isWritten) return
      }
      if (this.#unsaved) this.#onEvent('changed')
    })
  }

  /** Runs a write and records whether the device refused it. */
  async #guarded(write: () => Promise<unknown>): Promise<void> {
    clearTimeout(this.#timer)
    try {
      await write()
      if (this.#isPending()) return
      this.#timer = setTimeout(() => void this.#sync(), REST_MS)
      this.#notes.remove(this.#shown.id)
      if (this.#unsaved) {
        this.#unsaved = false
        this.#onEvent('changed')
      }
    } catch (error) {
      console.warn('the draft was not stored', error)
      this.#unsaved = true
      this.#note()
      this.#timer = setTimeout(() => void this.save(), RETRY_MS)
      this.#onEvent('changed')
    }
  }

  async #sync(): Promise<void> {
    this.#timer = undefined
    await syncEdits(Date.now()).catch((error: unknown) => console.warn('the disk was not synced', error))
  }

  /** @returns false when the draft can no longer be written */
  async #writeForm(shown: Draft): Promise<boolean> {
    const end = await editDraft(this.#base, shown, Date.now())
    switch (end.is) {
      case 'stored':
        // A newer version was read during the write.
        if (end.draft.revision < (this.#conflict ?? this.#base).revision) return true
        this.#resolveConflict(end.draft, { ...end.draft, ...formOf(this.#mergedWith(shown, end.draft)) })
        return true
      case 'conflict':
        this.#startConflict(end.stored)
        return true
      case 'submitted':
      case 'unreadable':
        this.#onEvent(end.is)
        return false
      default:
        return end satisfies never
    }
  }

  /** The displayed form after a write, with the changes made during it. */
  #mergedWith(written: Draft, stored: Draft): DraftForm {
    return mergeForm(written, this.#shown, stored) ?? this.#shown
  }

  async #writeSeparate(): Promise<boolean> {
    const shown = this.#shown
    const before = this.#separate ?? copyOf(shown, Date.now())
    const next = { ...before, ...formOf(shown) }
    if (writtenText(next) === '') this.#separate = next
    else {
      const end = await editDraft(before, next, Date.now())
      // If another tab changed or submitted that draft, this tab's text gets a new one.
      this.#separate = end.is === 'stored' ? end.draft : null
    }
    return true
  }

  #resolveConflict(base: Draft, shown: Draft): void {
    this.#base = base
    this.#shown = shown
    this.#conflict = null
    this.#separate = null
    this.#onEvent('changed')
  }

  #startConflict(stored: Draft): void {
    this.#conflict = stored
    // Files are stored separately and are never in conflict.
    this.#shown = { ...stored, ...formOf(this.#shown), revision: this.#base.revision }
    this.#onEvent('changed')
  }
}
