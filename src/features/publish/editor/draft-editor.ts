// The editor's state: one draft of one person, saved on the device at every change, its files copied at once.
import { onChange } from '#device/database/changes.ts'
import { onDatabaseLost } from '#device/database/database-state.ts'
import type { DraftForm } from '#device/drafts/draft-merge.ts'
import { changeDraft, emptyDraft, readDraft } from '#device/drafts/drafts.ts'
import { convertAgain, sendAsPicked } from '#device/files/conversions.ts'
import { listMedia, removeMedia, setAlt } from '#device/files/media.ts'
import type { Draft, Media } from '#device/database/schema.ts'
import { convertPicked } from '#src/domain/media/prepare/convert.ts'
import { draftNotes } from './draft-notes.ts'
import { DraftSync, type SyncEvent } from './draft-sync.ts'
import { EditorFiles } from '#src/features/publish/files/editor-files.ts'
import { stateOf, type EditorState, type SubmitEnd } from './editor-state.ts'
import { editorUntil } from './editor-until.ts'
import { Frames } from '#src/features/publish/files/frames.ts'
import { Intake, type Refused } from '#src/features/publish/files/intake.ts'
import { findLost } from '#src/features/publish/files/lost.ts'
import { submitShown, type SubmissionDesk } from './submission.ts'
import { Takes } from '#src/features/publish/files/takes.ts'
import { createStore, type ReadableStore, type Store, type Subscribe } from '#src/lib/store.ts'
import { whyOf } from './unsent-reason.ts'

export class DraftEditor implements ReadableStore<EditorState> {
  readonly #shown: Store<EditorState>
  readonly #files = new EditorFiles(() => this.#show({}))
  readonly #intake = new Intake({
    draft: () => this.#state.draft,
    there: () => this.#files.rows.filter((row) => row.role === 'media'),
    take: (file, as) => this.#takes.take(file, as),
    refuse: (refused) => this.#refuse(refused),
    waiting: (preparing) => this.#show({ preparing }),
  })
  #writes: Promise<unknown> = Promise.resolve()
  readonly #takes = new Takes({
    draft: () => this.#state.draft,
    written: () => this.#writes,
    preview: (mediaId, file) => this.#files.previews.keep(mediaId, file),
    added: (draft, media) => this.#added(draft, media),
    picked: (media, file) => this.#frames.take(media, file),
    noRoom: (mediaId, room) => this.#files.noRoom(mediaId, room),
    refuse: (refused) => this.#refuse(refused),
    ended: () => this.reload(),
  })
  readonly #frames = new Frames({
    draft: () => this.#state.draft,
    keep: (picture) =>
      this.#takes.take(picture, { kind: 'image', role: 'frame', conversion: { is: 'ready' } }),
    taking: (taking) => this.#show({ taking }),
  })
  readonly #desk: SubmissionDesk = {
    state: () => this.#state,
    sync: () => this.#sync,
    settled: async () => {
      await this.#intake.settled()
      await this.#frames.settled()
      await this.#writes
    },
    reload: () => this.reload(),
    write: (change) => this.#write(change),
    hasProblems: () => this.#hasProblems(),
    isConverting: () => this.#files.isConverting(),
    converted: () => this.#converted(),
    restart: () => this.#restart(),
  }
  #sync: DraftSync
  readonly #deaf: (() => void)[]
  readonly get: () => EditorState
  readonly subscribe: Subscribe

  constructor(draft: Draft) {
    this.#sync = this.#follow(draft)
    this.#shown = createStore(stateOf(draft))
    this.get = this.#shown.get
    this.subscribe = this.#shown.subscribe
    const changed = onChange((change) => {
      if (change.store === 'session') return
      const isOwn = change.id === this.#state.draft.id
      if (change.store === 'drafts' && !isOwn) return
      if (change.store === 'drafts' && change.discarded) this.#show({ discarded: true })
      if (change.store === 'jobs' && isOwn) this.#heard('submitted')
      else if (change.store === 'drafts' || change.store === 'media' || change.store === 'chunks')
        this.#reloadQuietly()
    })
    this.#deaf = [changed, onDatabaseLost(() => this.#reloadQuietly())]
  }

  get #state(): EditorState {
    return this.#shown.get()
  }

  /** Gives up previews and listeners; what is stored stays. */
  close(): void {
    for (const stop of this.#deaf) stop()
    this.#sync.close()
    this.#files.previews.clear()
  }

  change(change: Partial<DraftForm>): void {
    this.#show({ unsent: null, discarded: false })
    this.#sync.edit(change)
  }

  /** The page may end: unsaved changes are stored before this call returns. */
  flush(): void {
    this.#sync.flush()
  }

  /** Another tab has changed the draft too: one version stays, the other becomes a draft of its own. */
  async choose(whose: 'mine' | 'theirs'): Promise<void> {
    this.#show({ unsent: null })
    await this.#sync.choose(whose)
    await this.reload()
  }

  reorder(mediaIds: string[]): void {
    const same = (draft: Draft) => {
      const present = mediaIds.filter((id) => draft.mediaIds.includes(id))
      return [...present, ...draft.mediaIds.filter((id) => !present.includes(id))]
    }
    this.#sync.reorder(same(this.#state.draft))
    void this.#write((draft) => ({ ...draft, mediaIds: same(draft) }))
  }

  /** Takes picked, dropped or pasted files in their order; refused ones are in `refused` with the reason. */
  add(files: readonly File[]): Promise<void> {
    this.#show({ refused: [] })
    return this.#intake.add(files, 'media')
  }

  /** Takes a picture as the post's thumbnail. */
  chooseThumbnail(file: File): Promise<void> {
    this.#show({ refused: [] })
    return this.#intake.add([file], 'thumbnail')
  }

  /** Says what a picture shows. */
  async describe(mediaId: string, alt: string): Promise<void> {
    await setAlt(mediaId, alt.trim())
    await this.reload()
  }

  /** Takes a file out of the draft; its bytes are deleted. */
  async remove(mediaId: string): Promise<void> {
    const row = this.#files.rows.find((it) => it.id === mediaId)
    await this.#writes
    await removeMedia(this.#state.draft, mediaId, Date.now())
    const { frameId } = this.#state.draft
    if (row?.kind === 'video' && frameId) await removeMedia(this.#state.draft, frameId, Date.now())
    await this.reload()
  }

  /** Tries once more to convert a photo. */
  async convertAgain(mediaId: string): Promise<void> {
    await convertAgain(mediaId)
    await convertPicked(this.#state.draft.ownerId)
  }

  /** Leaves a photo's conversion to the server. */
  async sendAsPicked(mediaId: string): Promise<void> {
    await sendAsPicked(mediaId)
    await this.reload()
  }

  /**
   * Submits the displayed draft, once; the editor then has a new, empty draft. While photos are being converted it
   * waits for them. That is stored on the device: after a reload the submission continues (resume.ts).
   */
  async submit(): Promise<SubmitEnd> {
    if (this.#state.submitting) return { is: 'busy' }
    this.#show({ submitting: true, unsent: null })
    try {
      const end = await submitShown(this.#desk)
      if (end.is === 'unsent') this.#show({ unsent: end.why })
      return end
    } catch (error) {
      console.error('Upload error!', error)
      const why = whyOf(error)
      this.#show({ unsent: why })
      return { is: 'unsent', why }
    } finally {
      this.#show({ submitting: false })
    }
  }

  /** Reads the draft and its files again from the device; what has gone from there is stored again from this page. */
  async reload(): Promise<void> {
    const [{ id, ownerId }, writes] = [this.#state.draft, this.#writes]
    const [draft, rows] = await writes.then(() => Promise.all([readDraft(id, ownerId), listMedia(id)]))
    const lost = await findLost(rows)
    if (id !== this.#state.draft.id) return
    // A change was made during the read: its result is older than that.
    if (writes !== this.#writes) return this.reload()
    this.#files.take(rows, lost)
    if (draft) this.#sync.take(draft)
    else if (this.#state.draft.revision > 0 && !this.#state.discarded) void this.#sync.restore()
    this.#show({})
    if (!this.#state.discarded)
      for (const { id: mediaId } of this.#state.missing) this.#takes.restore(mediaId)
    for (const row of rows) this.#files.previews.read(row)
    this.#frames.resume(rows, lost)
  }

  #reloadQuietly(): void {
    void this.reload().catch((error: unknown) => console.warn('the draft was not read', error))
  }

  #hasProblems(): boolean {
    const problems = this.#files.problemsOf(this.#state.draft)
    this.#show({ problems })
    return Object.keys(problems).length > 0
  }

  /** Until no photo of this draft is being converted, in this tab or another. */
  async #converted(): Promise<void> {
    await convertPicked(this.#state.draft.ownerId)
    await this.reload()
    await editorUntil(this, () => !this.#files.isConverting())
  }

  #follow(draft: Draft): DraftSync {
    const sync: DraftSync = new DraftSync(draft, draftNotes(draft.ownerId), (event) => {
      if (sync === this.#sync) this.#heard(event)
    })
    return sync
  }

  #heard(event: SyncEvent): void {
    if (event === 'changed') this.#show({})
    else if (event === 'unreadable') this.#show({ unsent: 'outdated' })
    else if (!this.#state.submitting) void this.#postedElsewhere()
  }

  /** Another tab submitted the draft: what only this one shows becomes a new draft. */
  async #postedElsewhere(): Promise<void> {
    const { id } = this.#state.draft
    const isKept = await this.#sync.fork().catch(() => false)
    if (id !== this.#state.draft.id) return
    this.#restart()
    if (isKept) this.#show({ unsent: 'forked' })
  }

  #show(change: Partial<EditorState>): void {
    const next = { ...this.#state, ...change, ...this.#sync.view() }
    Object.assign(next, this.#files.of(next.draft))
    // What was said goes, or says what is left, as soon as something is mended; nothing is said before the person
    // tries to post.
    const now = this.#files.problemsOf(next.draft)
    next.problems = Object.fromEntries(Object.entries(now).filter(([key]) => key in next.problems))
    this.#shown.set(next)
  }

  #refuse(refused: Refused): void {
    this.#show({ refused: [...this.#state.refused, refused] })
  }

  #write(change: (draft: Draft) => Draft): Promise<unknown> {
    const { draft } = this.#state
    this.#writes = this.#writes
      .then(() => changeDraft(draft, change, Date.now()))
      .then(
        (stored) => stored && this.#sync.take(stored),
        (error: unknown) => console.warn('the draft was not stored', error),
      )
    return this.#writes
  }

  #added(draft: Draft, media: Media): void {
    this.#files.add(media)
    this.#sync.take(draft)
    this.#show({})
  }

  #restart(): void {
    this.#files.clear()
    const { ownerId, protocol } = this.#state.draft
    this.#sync.end()
    this.#sync = this.#follow(emptyDraft(ownerId, Date.now(), protocol))
    this.#show({ problems: {}, refused: [], discarded: false })
  }
}
