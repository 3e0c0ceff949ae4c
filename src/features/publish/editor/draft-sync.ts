// Keeps what the editor shows and what the device stores of one draft in step.
import { copyOf, editDraft, replaceForm, syncEdits } from '#device/drafts/draft-edits.ts'
import { formOf, mergeForm, sameForm, type DraftForm } from '#device/drafts/draft-merge.ts'
import type { Draft } from '#device/database/schema.ts'
import type { DraftNotes } from './draft-notes.ts'

export interface SyncView {
  /** What is shown, with the revision of the stored version it was made from. */
  draft: Draft
  /** The last change is not on the device. */
  unsaved: boolean
  /** What another tab stored while this one had changes of its own: the person chooses one of the two. */
  conflict: Draft | null
}

export type SyncEvent =
  | 'changed'
  /** The draft is a job by now: another tab submitted it. */
  | 'submitted'
  /** Another version of the app wrote the row. */
  | 'unreadable'

/** A write that the device refused is tried again after this, ms. */
const RETRY_MS = 5000
/** What was written is synced to the disk once nothing was written for this long, ms. */
const REST_MS = 1000

export class DraftSync {
  /** The stored version that what is shown was made from; revision 0 where none is stored. */
  #base: Draft
  #shown: Draft
  #unsaved = false
  #conflict: Draft | null = null
  /** The draft of its own that has this tab's text until the person has chosen. */
  #aside: Draft | null = null
  #writing: Promise<void> | null = null
  /** The next try of a refused write, or the next sync. */
  #later: ReturnType<typeof setTimeout> | undefined
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

  /** Changes text or settings: shown at once, and written as soon as no other write is under way. */
  edit(change: Partial<DraftForm>): void {
    this.#shown = { ...this.#shown, ...change }
    this.#onEvent('changed')
    void this.save()
  }

  /** Resolves when everything that is shown is stored, or when the device refused it (`unsaved`). Never rejects. */
  save(): Promise<void> {
    this.#writing ??= this.#write().finally(() => (this.#writing = null))
    return this.#writing
  }

  /** Shows a version that was read from the device; fields with unsaved changes of this tab stay as they are shown. */
  take(stored: Draft): void {
    if (stored.revision < this.#base.revision) return
    const merged = this.#conflict ? undefined : mergeForm(this.#base, this.#shown, stored)
    if (merged) this.#agree(stored, merged)
    else this.#disagree(stored)
    if (this.#isPending()) void this.save()
  }

  /** Shows files in an order that the editor stores by itself. */
  reorder(mediaIds: string[]): void {
    this.#shown = { ...this.#shown, mediaIds }
    this.#onEvent('changed')
  }

  /** Stores the whole draft again after it has gone from the device. */
  async restore(): Promise<void> {
    await this.#writing
    await this.#guarded(() => this.#writeForm(this.#shown))
  }

  /** The person chose one of the two versions; the other one stays on the device as a draft of its own. */
  async choose(whose: 'mine' | 'theirs'): Promise<void> {
    await this.save()
    const theirs = this.#conflict
    if (!theirs || this.#unsaved) return
    if (whose === 'theirs') return this.#agree(theirs, theirs)
    const aside = this.#aside ?? copyOf(theirs, Date.now())
    await this.#guarded(async () => {
      const end = await replaceForm(theirs, this.#shown, aside.id, Date.now())
      if (end.is === 'stored') this.#agree(end.draft, { ...end.draft, ...formOf(this.#shown) })
      else if (end.is === 'conflict') this.#disagree(end.stored)
      else this.#onEvent(end.is)
    })
    if (this.#isPending()) await this.save()
  }

  /**
   * Stores what is shown as a new draft, where it differs from what was submitted.
   * @param submitted the form that was submitted; without it, the stored version this tab was at
   */
  async fork(submitted: DraftForm = this.#base): Promise<boolean> {
    const mine = this.#shown
    if (this.#conflict || sameForm(submitted, mine) || mine.content.trim() === '') return false
    const copy = copyOf(mine, Date.now())
    await editDraft(copy, copy, Date.now())
    return true
  }

  /** Keeps what is not stored where it survives the end of the page, before this call ends. */
  flush(): void {
    if (!this.#isPending()) {
      if (this.#later !== undefined) void this.#sync()
      return
    }
    this.#notes.keep({ base: formOf(this.#base), draft: this.#shown })
    void this.save()
  }

  /** The editor is closed: ends the retries; unsaved changes are stored as by `flush`. */
  close(): void {
    this.flush()
    clearTimeout(this.#later)
  }

  /** The draft was submitted: it must not be written any more. */
  end(): void {
    clearTimeout(this.#later)
    this.#notes.drop(this.#shown.id)
  }

  /** Whether something that is shown has not been written yet. */
  #isPending(): boolean {
    if (this.#conflict) return !this.#aside || !sameForm(this.#aside, this.#shown)
    return !sameForm(this.#base, this.#shown)
  }

  async #write(): Promise<void> {
    await this.#guarded(async () => {
      while (this.#isPending()) {
        const isWritten = await (this.#conflict ? this.#writeAside() : this.#writeForm(this.#shown))
        if (!isWritten) return
      }
      if (this.#unsaved) this.#onEvent('changed')
    })
  }

  /** Runs a write and notes whether the device took it. */
  async #guarded(write: () => Promise<unknown>): Promise<void> {
    clearTimeout(this.#later)
    try {
      await write()
      if (this.#isPending()) return
      this.#later = setTimeout(() => void this.#sync(), REST_MS)
      this.#notes.drop(this.#shown.id)
      if (this.#unsaved) {
        this.#unsaved = false
        this.#onEvent('changed')
      }
    } catch (error) {
      console.warn('the draft was not stored', error)
      this.#unsaved = true
      this.#notes.keep({ base: formOf(this.#base), draft: this.#shown })
      this.#later = setTimeout(() => void this.save(), RETRY_MS)
      this.#onEvent('changed')
    }
  }

  async #sync(): Promise<void> {
    this.#later = undefined
    await syncEdits(Date.now()).catch((error: unknown) => console.warn('the disk was not synced', error))
  }

  /** @returns false when the draft can no longer be written */
  async #writeForm(mine: Draft): Promise<boolean> {
    const end = await editDraft(this.#base, mine, Date.now())
    switch (end.is) {
      case 'stored':
        // A newer version was read during the write.
        if (end.draft.revision < (this.#conflict ?? this.#base).revision) return true
        this.#agree(end.draft, { ...end.draft, ...formOf(this.#mergedWith(mine, end.draft)) })
        return true
      case 'conflict':
        this.#disagree(end.stored)
        return true
      case 'submitted':
      case 'unreadable':
        this.#onEvent(end.is)
        return false
      default:
        return end satisfies never
    }
  }

  /** What is shown after `written` was stored as `stored`: with what was typed during the write. */
  #mergedWith(written: Draft, stored: Draft): DraftForm {
    return mergeForm(written, this.#shown, stored) ?? this.#shown
  }

  async #writeAside(): Promise<boolean> {
    const mine = this.#shown
    const before = this.#aside ?? copyOf(mine, Date.now())
    const next = { ...before, ...formOf(mine) }
    if (next.content.trim() === '') this.#aside = next
    else {
      const end = await editDraft(before, next, Date.now())
      // Another tab has changed or submitted that draft: this tab's text gets a new one.
      this.#aside = end.is === 'stored' ? end.draft : null
    }
    return true
  }

  #agree(base: Draft, shown: Draft): void {
    this.#base = base
    this.#shown = shown
    this.#conflict = null
    this.#aside = null
    this.#onEvent('changed')
  }

  #disagree(stored: Draft): void {
    this.#conflict = stored
    // Files are stored by themselves and are in no conflict.
    this.#shown = { ...stored, ...formOf(this.#shown), revision: this.#base.revision }
    this.#onEvent('changed')
  }
}
