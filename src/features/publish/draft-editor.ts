// The editor's state: one draft of one person, saved on the device at every change, its files copied at once.
import { onChange } from '#device/changes.ts'
import { changeDraft, emptyDraft, isSubmitted, readDraft } from '#device/drafts.ts'
import { convertAgain, sendAsPicked } from '#device/conversions.ts'
import { listMedia, removeMedia, setAlt } from '#device/media.ts'
import type { Draft, Media } from '#device/schema.ts'
import { convertPicked } from '#src/lib/prepare/convert.ts'
import { submit } from '#src/sw-bridge.ts'
import { itemOf, type EditorItem } from './editor-item.ts'
import { editorUntil } from './editor-until.ts'
import { Frames } from './frames.ts'
import { Intake, type Refused } from './intake.ts'
import { lostAmong } from './lost.ts'
import { Previews } from './previews.ts'
import { isWaiting, problemsOf, type DraftProblems } from './rules.ts'
import type { Room } from './storage-room.ts'
import { Takes } from './takes.ts'

export interface EditorState {
  draft: Draft
  /** In the order of the post. */
  items: EditorItem[]
  thumbnail: EditorItem | null
  frame: EditorItem | null
  /** Files that were picked and are not in the draft yet. */
  preparing: number
  /** The video's frame is being taken. */
  taking: boolean
  /** Files that were not taken at the last pick. */
  refused: Refused[]
  problems: DraftProblems
  /** The last change could not be stored on the device. */
  unsaved: boolean
  submitting: boolean
}

export type SubmitEnd = { is: 'submitted' } | { is: 'problems'; problems: DraftProblems } | { is: 'busy' }

export class DraftEditor {
  #state: EditorState
  #rows: Media[] = []
  #lost: ReadonlySet<string> = new Set()
  readonly #rooms = new Map<string, Room>()
  readonly #previews = new Previews(() => this.#show({}))
  readonly #intake = new Intake({
    draft: () => this.#state.draft,
    there: () => this.#rows.filter((row) => row.role === 'media'),
    take: (file, as) => this.#takes.take(file, as),
    refuse: (refused) => this.#refuse(refused),
    waiting: (preparing) => this.#show({ preparing }),
  })
  readonly #listeners = new Set<() => void>()
  #writes: Promise<unknown> = Promise.resolve()
  readonly #takes = new Takes({
    draft: () => this.#state.draft,
    written: () => this.#writes,
    preview: (mediaId, file) => this.#previews.keep(mediaId, file),
    added: (draft, media) => this.#added(draft, media),
    picked: (media, file) => this.#frames.take(media, file),
    noRoom: (mediaId, room) => this.#rooms.set(mediaId, room),
    refuse: (refused) => this.#refuse(refused),
    ended: () => this.reload(),
  })
  readonly #frames = new Frames({
    draft: () => this.#state.draft,
    keep: (picture) =>
      this.#takes.take(picture, { kind: 'image', role: 'frame', conversion: { is: 'ready' } }),
    taking: (taking) => this.#show({ taking }),
  })
  readonly #deaf: () => void

  constructor(draft: Draft) {
    this.#state = {
      draft,
      items: [],
      thumbnail: null,
      frame: null,
      preparing: 0,
      taking: false,
      refused: [],
      problems: {},
      unsaved: false,
      submitting: false,
    }
    this.#deaf = onChange((change) => {
      if (change.store === 'session') return
      if (change.store === 'drafts' && change.id !== this.#state.draft.id) return
      if (change.store === 'jobs' && change.id === this.#state.draft.id && !this.#state.submitting)
        void this.#restart()
      else if (change.store === 'drafts' || change.store === 'media' || change.store === 'chunks')
        void this.reload()
    })
  }

  readonly get = (): EditorState => this.#state

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** Gives up previews and listeners; what is stored stays. */
  close(): void {
    this.#deaf()
    this.#previews.clear()
  }

  /** Changes text or settings: shown at once, stored in order. */
  change(
    change: Partial<Pick<Draft, 'content' | 'type' | 'planIds' | 'price' | 'isAgeLimited' | 'keepSize'>>,
  ): void {
    this.#show({ draft: { ...this.#state.draft, ...change } })
    void this.#write((draft) => ({ ...draft, ...change }))
  }

  /** Puts the media into another order. */
  reorder(mediaIds: string[]): void {
    const same = (draft: Draft) => {
      const kept = mediaIds.filter((id) => draft.mediaIds.includes(id))
      return [...kept, ...draft.mediaIds.filter((id) => !kept.includes(id))]
    }
    this.#show({ draft: { ...this.#state.draft, mediaIds: same(this.#state.draft) } })
    void this.#write((draft) => ({ ...draft, mediaIds: same(draft) }))
  }

  /** Takes picked, dropped or pasted files in their order; those not taken stand in `refused` with the reason. */
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
    const row = this.#rows.find((it) => it.id === mediaId)
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

  /** Leaves a photo's conversion to the server, which takes the picked file. */
  async sendAsPicked(mediaId: string): Promise<void> {
    await sendAsPicked(mediaId)
    await this.reload()
  }

  /**
   * Submits the draft once; the editor then holds a new, empty one. While photos are being converted it waits for
   * them. That is noted on the device: after a reload the submission goes on by itself (resume.ts).
   */
  async submit(): Promise<SubmitEnd> {
    if (this.#state.submitting) return { is: 'busy' }
    this.#show({ submitting: true })
    try {
      await this.#intake.settled()
      await this.#frames.settled()
      await this.#writes
      await this.reload()
      if (this.#hasProblems()) return { is: 'problems', problems: this.#state.problems }
      if (this.#isConverting()) {
        await this.#write((draft) => ({ ...draft, submitWhenReady: true }))
        await this.#converted()
        if (!(await isSubmitted(this.#state.draft.id)) && this.#hasProblems()) {
          await this.#write((draft) => ({ ...draft, submitWhenReady: false }))
          return { is: 'problems', problems: this.#state.problems }
        }
      }
      const end = await submit(this.#state.draft.id, this.#state.draft.ownerId)
      // It was discarded, or changed in another tab, while it waited.
      if (end.is !== 'submitted' && end.is !== 'already') return { is: 'busy' }
      await this.#restart()
      return { is: 'submitted' }
    } finally {
      this.#show({ submitting: false })
    }
  }

  /** Reads the draft and its files again from the device. */
  async reload(): Promise<void> {
    const [{ id, ownerId }, writes] = [this.#state.draft, this.#writes]
    const [draft, rows] = await writes.then(() => Promise.all([readDraft(id, ownerId), listMedia(id)]))
    const lost = await lostAmong(rows)
    if (id !== this.#state.draft.id) return
    // Something was changed meanwhile: what was read is older than that.
    if (writes !== this.#writes) return this.reload()
    ;[this.#lost, this.#rows] = [lost, rows]
    this.#show(draft ? { draft } : {})
    for (const row of rows) this.#previews.read(row)
    this.#frames.resume(rows)
  }

  #isConverting(): boolean {
    return this.#rows.some((row) => isWaiting(row, this.#lost))
  }

  #hasProblems(): boolean {
    const problems = problemsOf(this.#state.draft, this.#rows, this.#lost)
    this.#show({ problems })
    return Object.keys(problems).length > 0
  }

  /** Until no photo of this draft is being converted, in this tab or another. */
  async #converted(): Promise<void> {
    await convertPicked(this.#state.draft.ownerId)
    await this.reload()
    await editorUntil(this, () => !this.#isConverting())
  }

  #show(change: Partial<EditorState>): void {
    const next = { ...this.#state, ...change }
    const item = (id: string | null) => {
      const media = this.#rows.find((row) => row.id === id)
      return media ? this.#item(media) : null
    }
    next.items = next.draft.mediaIds.flatMap((id) => item(id) ?? [])
    next.thumbnail = item(next.draft.thumbnailId)
    next.frame = item(next.draft.frameId)
    // What was said goes, or says what is left, as soon as something is mended; nothing is said before the person
    // tries to post.
    const now = problemsOf(next.draft, this.#rows, this.#lost)
    next.problems = Object.fromEntries(Object.entries(now).filter(([key]) => key in next.problems))
    this.#state = next
    for (const listener of this.#listeners) listener()
  }

  #item(media: Media): EditorItem {
    return itemOf(media, {
      preview: this.#previews.of(media.id),
      lost: this.#lost.has(media.id),
      free: this.#rooms.get(media.id)?.free,
    })
  }

  #refuse(refused: Refused): void {
    this.#show({ refused: [...this.#state.refused, refused] })
  }

  #write(change: (draft: Draft) => Draft): Promise<unknown> {
    const { draft } = this.#state
    this.#writes = this.#writes
      .then(() => changeDraft(draft, change, Date.now()))
      .then(
        () => this.#state.unsaved && this.#show({ unsaved: false }),
        () => this.#show({ unsaved: true }),
      )
    return this.#writes
  }

  #added(draft: Draft, media: Media): void {
    this.#rows = [...this.#rows.filter((row) => row.role !== media.role || row.role === 'media'), media]
    this.#show({ draft })
  }

  async #restart(): Promise<void> {
    this.#previews.clear()
    this.#lost = new Set()
    this.#rows = []
    const { ownerId, protocol } = this.#state.draft
    this.#show({ draft: emptyDraft(ownerId, Date.now(), protocol), problems: {}, refused: [] })
  }
}
