// The editor's state: one draft of one person, saved on the device at every change, its files copied at once.
import { newId } from '#contract/ids.ts'
import { onChange } from '#device/changes.ts'
import { copyFile, isCopying } from '#device/copy.ts'
import { changeDraft, emptyDraft, readDraft } from '#device/drafts.ts'
import { addMedia, listMedia, removeMedia, setDuration } from '#device/media.ts'
import type { Draft, Media } from '#device/schema.ts'
import { submit } from '#src/sw-bridge.ts'
import { Previews } from './previews.ts'
import { ownRestrictions, restrictionProblem } from './restrictions.ts'
import { kindOf, problemOf, problemsOf, type DraftProblems, type FileProblem } from './rules.ts'
import { makeRoom } from './storage-room.ts'
import { frameOf } from './video-frame.ts'

export interface EditorItem {
  media: Media
  /** Object URL of the picked file; null while it is read back from the device. */
  preview: string | null
  /** Copied to the device so far, 0..1; `lost` when the copying ended before its end and the file must be picked again. */
  copied: number | 'lost'
}

export type Refused =
  | { name: string; why: FileProblem; room?: { needed: number; free: number } }
  | { name: string; why: 'restricted'; says: string }

export interface EditorState {
  draft: Draft
  /** In the order of the post. */
  items: EditorItem[]
  thumbnail: EditorItem | null
  frame: EditorItem | null
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
  readonly #lost = new Set<string>()
  readonly #previews = new Previews(() => this.#show({}))
  readonly #listeners = new Set<() => void>()
  #writes: Promise<unknown> = Promise.resolve()
  #taking: Promise<void> = Promise.resolve()
  readonly #deaf: () => void

  constructor(draft: Draft) {
    this.#state = {
      draft,
      items: [],
      thumbnail: null,
      frame: null,
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
      else if (change.store !== 'jobs' && change.store !== 'receipts') void this.reload()
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
  change(change: Partial<Pick<Draft, 'content' | 'type' | 'planIds' | 'price' | 'isAgeLimited'>>): void {
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

  /** Takes picked, dropped or pasted files; those not taken stand in `refused` with the reason. */
  async add(files: readonly File[]): Promise<void> {
    this.#show({ refused: [] })
    for (const file of files) {
      const kind = kindOf(file.name)
      const there = this.#rows.filter((row) => row.role === 'media')
      const why = problemOf(there, file)
      if (why || !kind) this.#refuse(file, why ?? 'unsupported')
      else if (this.#restricts(there, file)) continue
      else await this.#take(file, kind, 'media')
    }
  }

  /** Takes a picture as the post's thumbnail. */
  async chooseThumbnail(file: File): Promise<void> {
    this.#show({ refused: [] })
    if (kindOf(file.name) === 'image') await this.#take(file, 'image', 'thumbnail')
    else this.#refuse(file, 'unsupported')
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

  /** Submits the draft once; the editor then holds a new, empty one. */
  async submit(): Promise<SubmitEnd> {
    if (this.#state.submitting) return { is: 'busy' }
    this.#show({ submitting: true })
    try {
      await this.#taking
      await this.#writes
      await this.reload()
      const problems = problemsOf(this.#state.draft, this.#rows, this.#lost)
      this.#show({ problems })
      if (Object.keys(problems).length > 0) return { is: 'problems', problems }
      await submit(this.#state.draft.id, this.#state.draft.ownerId)
      await this.#restart()
      return { is: 'submitted' }
    } finally {
      this.#show({ submitting: false })
    }
  }

  /** Reads the draft and its files again from the device. */
  async reload(): Promise<void> {
    const { id, ownerId } = this.#state.draft
    await this.#writes
    const [stored, rows] = await Promise.all([readDraft(id, ownerId), listMedia(id)])
    if (id !== this.#state.draft.id) return
    await this.#findLost(rows)
    this.#rows = rows
    this.#show(stored ? { draft: stored } : {})
    for (const row of rows) this.#previews.read(row)
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
    // A problem that was said goes as soon as it is mended; none is said before the person tries to post.
    const now = problemsOf(next.draft, this.#rows, this.#lost)
    next.problems = Object.fromEntries(Object.entries(next.problems).filter(([key]) => key in now))
    this.#state = next
    for (const listener of this.#listeners) listener()
  }

  #item(media: Media): EditorItem {
    const chunks = Math.max(1, Math.ceil(media.size / (5 * 1024 * 1024)))
    const copied = media.bytes.is === 'stored' ? 1 : media.bytes.stored / chunks
    return {
      media,
      preview: this.#previews.of(media.id),
      copied: this.#lost.has(media.id) ? 'lost' : copied,
    }
  }

  #refuse(file: File, why: FileProblem, room?: { needed: number; free: number }): void {
    this.#show({ refused: [...this.#state.refused, { name: file.name, why, ...(room ? { room } : {}) }] })
  }

  #restricts(there: readonly Media[], file: File): boolean {
    const rows = there.map((row) => ({ name: row.name, type: row.mime, size: row.size }))
    const says = restrictionProblem(ownRestrictions, rows, file)
    if (says) this.#show({ refused: [...this.#state.refused, { name: file.name, why: 'restricted', says }] })
    return says !== undefined
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

  async #take(file: File, kind: Media['kind'], role: Media['role']): Promise<void> {
    const room = await makeRoom(file.size)
    if (room) return this.#refuse(file, 'no_room', room)
    await this.#writes
    const media: Media = {
      id: newId(),
      draftId: this.#state.draft.id,
      ownerId: this.#state.draft.ownerId,
      role,
      kind,
      name: file.name,
      mime: file.type || 'application/octet-stream',
      size: file.size,
      duration: null,
      alt: '',
      bytes: { is: 'copying', stored: 0 },
      createdAt: Date.now(),
    }
    this.#previews.keep(media.id, file)
    const draft = await addMedia(this.#state.draft, media, Date.now())
    if (!draft) return
    this.#rows = [...this.#rows.filter((row) => row.role !== role || role === 'media'), media]
    this.#show({ draft })
    const copied = this.#copy(media, file)
    if (role === 'media' && kind === 'video') this.#takeFrame(media, file)
    if (role !== 'media') await copied
  }

  async #copy(media: Media, file: File): Promise<void> {
    const end = await copyFile(media, file)
    if (end.is !== 'full' && end.is !== 'unreadable') return
    await removeMedia(this.#state.draft, media.id, Date.now())
    const room = end.is === 'full' ? await makeRoom(file.size) : undefined
    this.#refuse(file, end.is === 'full' ? 'no_room' : 'unreadable', room)
    await this.reload()
  }

  #takeFrame(media: Media, file: File): void {
    this.#show({ taking: true })
    this.#taking = this.#taking
      .then(() => frameOf(file))
      .then(async ({ duration, picture }) => {
        if (duration !== null) await setDuration(media.id, duration)
        if (picture)
          await this.#take(new File([picture], 'frame.jpg', { type: picture.type }), 'image', 'frame')
      })
      .catch(() => undefined)
      .finally(() => this.#show({ taking: false }))
  }

  /** A media whose copying ended early and that no page is copying can only be picked again. */
  async #findLost(rows: readonly Media[]): Promise<void> {
    for (const row of rows) {
      if (row.bytes.is === 'stored' || (await isCopying(row.id))) this.#lost.delete(row.id)
      else if (Date.now() - row.createdAt > 2000) this.#lost.add(row.id)
    }
  }

  async #restart(): Promise<void> {
    this.#previews.clear()
    this.#lost.clear()
    this.#rows = []
    const { ownerId, protocol } = this.#state.draft
    this.#show({ draft: emptyDraft(ownerId, Date.now(), protocol), problems: {}, refused: [] })
  }
}
