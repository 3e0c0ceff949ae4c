// The editor of one draft, which is stored on the device at every change.
import { onChange } from '#device/database/changes.ts'
import { onDatabaseLost } from '#device/database/database-state.ts'
import type { DraftForm } from '#device/drafts/draft-merge.ts'
import { changeDraft, emptyDraft, readDraft } from '#device/drafts/drafts.ts'
import { convertAgain, sendAsPicked } from '#device/files/conversions.ts'
import { listMedia, removeMedia, setAlt } from '#device/files/media.ts'
import { readPhoto } from '#device/files/photos.ts'
import type { Draft, Media } from '#device/database/schema.ts'
import { convertPicked } from '#src/domain/media/prepare/convert.ts'
import { draftNotes } from './draft-notes.ts'
import { DraftSync, type SyncEvent } from './draft-sync.ts'
import { EditorFiles } from '#src/features/publish/files/editor-files.ts'
import { stateOf, type EditorState, type SubmitEnd } from './editor-state.ts'
import { editorUntil } from './editor-until.ts'
import { asFrame, Frames } from '#src/features/publish/files/frames.ts'
import { Intake, type Refused } from '#src/features/publish/files/intake.ts'
import { findLost } from '#src/domain/media/lost.ts'
import { submitShown, type SubmissionPorts } from './submission.ts'
import { FileCopies } from '#src/features/publish/files/file-copies.ts'
import { createStore, type ReadableStore, type Store, type Subscribe } from '#src/lib/store.ts'
import { reasonOf } from './unsent-reason.ts'

export class DraftEditor implements ReadableStore<EditorState> {
  readonly #shown: Store<EditorState>
  readonly #files = new EditorFiles(() => this.#show({}))
  readonly #picks = new Intake({
    draft: () => this.#state.draft,
    existing: () => this.#files.rows.filter((row) => row.role === 'media'),
    add: (file, as) => this.#copies.take(file, as),
    addPhotos: (draftId, photos) => this.#copies.takePhotos(draftId, photos),
    stored: readPhoto,
    remove: (mediaId) => this.remove(mediaId),
    refuse: (refused) => this.#refuse(refused),
    waiting: (preparing) => this.#show({ preparing }),
  })
  #writes: Promise<unknown> = Promise.resolve()
  readonly #copies = new FileCopies({
    draft: () => this.#state.draft,
    written: () => this.#writes,
    preview: (mediaId, file) => this.#files.previews.set(mediaId, file),
    added: (draft, media) => this.#added(draft, media),
    picked: (media, file) => this.#frames.take(media, file),
    noRoom: (mediaId, room) => this.#files.noRoom(mediaId, room),
    refuse: (refused) => this.#refuse(refused),
    ended: () => this.reload(),
  })
  readonly #frames = new Frames({
    draft: () => this.#state.draft,
    store: (picture) => this.#copies.take(picture, asFrame),
    cut: (mediaId, cut) => this.#files.cut(mediaId, cut),
    taking: (taking) => this.#show({ isTakingFrame: taking }),
  })
  readonly #submissionPorts: SubmissionPorts = {
    state: () => this.#state,
    sync: () => this.#sync,
    idle: async () => {
      await this.#picks.idle()
      await this.#frames.idle()
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
  readonly #unsubscribes: (() => void)[]
  readonly get: () => EditorState
  readonly subscribe: Subscribe

  constructor(draft: Draft) {
    this.#sync = this.#createSync(draft)
    this.#shown = createStore(stateOf(draft))
    this.get = this.#shown.get
    this.subscribe = this.#shown.subscribe
    const changed = onChange((change) => {
      if (change.store === 'session') return
      const isOwn = change.id === this.#state.draft.id
      if (change.store === 'drafts' && !isOwn) return
      if (change.store === 'drafts' && change.discarded) this.#show({ discarded: true })
      if (change.store === 'jobs' && isOwn) this.#onSyncEvent('submitted')
      else if (change.store === 'drafts' || change.store === 'media' || change.store === 'chunks')
        this.#reloadQuietly()
    })
    this.#unsubscribes = [changed, onDatabaseLost(() => this.#reloadQuietly())]
  }

  get #state(): EditorState {
    return this.#shown.get()
  }

  /** Removes previews and listeners; the stored draft stays. */
  close(): void {
    for (const stop of this.#unsubscribes) stop()
    this.#sync.close()
    this.#files.previews.clear()
  }

  change(change: Partial<DraftForm>): void {
    this.#show({ unsent: null, discarded: false })
    this.#sync.edit(change)
  }

  /** Stores unsaved changes synchronously, since the page may end. */
  flush(): void {
    this.#sync.flush()
  }

  /** Resolves a conflict with another tab; the version that is not chosen becomes a separate draft. */
  async choose(version: 'shown' | 'stored'): Promise<void> {
    this.#show({ unsent: null })
    await this.#sync.choose(version)
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

  /** Adds picked, dropped or pasted files in order. Refused ones are in `refused`. */
  add(files: readonly File[]): Promise<void> {
    this.#show({ refused: [] })
    return this.#picks.add(files, 'media')
  }

  chooseThumbnail(file: File): Promise<void> {
    this.#show({ refused: [] })
    return this.#picks.add([file], 'thumbnail')
  }

  /** Sets the alternative text of a picture. */
  async describe(mediaId: string, alt: string): Promise<void> {
    await setAlt(mediaId, alt.trim())
    await this.reload()
  }

  /** Removes a file from the draft and deletes its bytes. A submission waits until it is removed. */
  remove(mediaId: string): Promise<void> {
    const isVideo = this.#files.rows.some((it) => it.id === mediaId && it.kind === 'video')
    const removing = this.#writes.then(async () => {
      const { draft } = this.#state
      for (const id of [mediaId, isVideo ? draft.frameId : null])
        if (id) await removeMedia(draft, id, Date.now())
    })
    this.#writes = removing.catch(() => undefined)
    return removing.then(() => this.reload())
  }

  async convertAgain(mediaId: string): Promise<void> {
    await convertAgain(mediaId)
    await convertPicked(this.#state.draft.ownerId)
  }

  /** Leaves a photo's conversion to the server. */
  async sendAsPicked(mediaId: string): Promise<void> {
    await sendAsPicked(mediaId)
    await this.reload()
  }

  /** Submits the draft once and opens an empty one. Waits for conversions of photos, also over a reload (resume.ts). */
  async submit(): Promise<SubmitEnd> {
    if (this.#state.submitting) return { is: 'busy' }
    this.#show({ submitting: true, unsent: null })
    try {
      const end = await submitShown(this.#submissionPorts)
      if (end.is === 'unsent') this.#show({ unsent: end.why })
      return end
    } catch (error) {
      console.error('Upload error!', error)
      const why = reasonOf(error)
      this.#show({ unsent: why })
      return { is: 'unsent', why }
    } finally {
      this.#show({ submitting: false })
    }
  }

  /** Reads the draft and its files from the device, and stores evicted ones again. */
  async reload(): Promise<void> {
    const [{ id, ownerId }, writes] = [this.#state.draft, this.#writes]
    const [draft, rows] = await writes.then(() => Promise.all([readDraft(id, ownerId), listMedia(id)]))
    const lost = await findLost(rows)
    if (id !== this.#state.draft.id) return
    // The result is older than a change that was made during the read.
    if (writes !== this.#writes) return this.reload()
    this.#files.setRows(rows, lost)
    if (draft) this.#sync.take(draft)
    else if (this.#state.draft.revision > 0 && !this.#state.discarded) void this.#sync.restore()
    this.#show({})
    if (!this.#state.discarded)
      for (const { id: mediaId } of this.#state.missing) this.#copies.restore(mediaId)
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

  /** Resolves when no tab is converting a photo of this draft. */
  async #converted(): Promise<void> {
    await convertPicked(this.#state.draft.ownerId)
    await this.reload()
    await editorUntil(this, () => !this.#files.isConverting())
  }

  #createSync(draft: Draft): DraftSync {
    const sync: DraftSync = new DraftSync(draft, draftNotes(draft.ownerId), (event) => {
      if (sync === this.#sync) this.#onSyncEvent(event)
    })
    return sync
  }

  #onSyncEvent(event: SyncEvent): void {
    if (event === 'changed') this.#show({})
    else if (event === 'unreadable') this.#show({ unsent: 'outdated' })
    else if (!this.#state.submitting) void this.#postedElsewhere()
  }

  /** Opens a new draft with this tab's unsent changes after another tab submitted the draft. */
  async #postedElsewhere(): Promise<void> {
    const { id } = this.#state.draft
    const isForked = await this.#sync.fork().catch(() => false)
    if (id !== this.#state.draft.id) return
    this.#restart()
    if (isForked) this.#show({ unsent: 'forked' })
  }

  #show(change: Partial<EditorState>): void {
    const next = { ...this.#state, ...change, ...this.#sync.view() }
    Object.assign(next, this.#files.of(next.draft))
    // Shown problems are updated as the person solves them; new ones are shown only after a press of 投稿.
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

  #added(draft: Draft, added: readonly Media[]): void {
    for (const media of added) this.#files.add(media)
    this.#sync.take(draft)
    this.#show({})
  }

  #restart(): void {
    this.#files.clear()
    const { ownerId, protocol } = this.#state.draft
    this.#sync.end()
    this.#sync = this.#createSync(emptyDraft(ownerId, Date.now(), protocol))
    this.#show({ problems: {}, refused: [], discarded: false })
  }
}
