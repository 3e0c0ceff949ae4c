// Simulates the server for the queue of uploads. Same rules as server/.
// Uploads are resumable, a post is added once per key and released once.
import { correctMessageRules, type MessageRules, MessageServer } from './message-server.ts'
import { type MutationRules, MutationServer, correctMutationRules } from './mutation-server.ts'
import { digestOf, UploadedBytes, type Scale, SimBlob, type SimForm, small } from '#sw/sim/browser/bytes.ts'
import { type CheckRules, CheckServer } from './check-server.ts'
import { hasFiles, diskFullReply } from '#sw/sim/network/full-disk.ts'
import { addsBytes, refusal, type Reply, type Request } from '#sw/sim/network/exchange.ts'
import type { ServerCheck, StoryServer } from './story-server.ts'
import { type SimUpload, type UploadRules, UploadServer } from './upload-server.ts'

interface LegacyVideo {
  id: string
  digest: string
  received: number
  stored: UploadedBytes
  isComplete: boolean
}
export interface SimPost {
  id: string
  author: string
  key: string
  content: string
  uploads: string[]
  /** The video that follows in chunks. */
  video: LegacyVideo | null
  /** Digests of its files; that of a video in chunks is set at the release. */
  files: string[]
  addedAt: number
  /** Number of broadcasts to followers. */
  published: number
}

/** Rules of the server that a test may break on purpose. */
export interface ServerRules extends CheckRules, MessageRules, UploadRules {
  /** `select` reads first and inserts later: two concurrent requests do not see each other. */
  addOnce: 'unique' | 'select'
  /** `hook`: a hook publishes after the last byte of an upload; it runs never, once or twice. */
  publishIn: 'release' | 'hook'
  releaseOnce: boolean
  /** Chunks are stored in the order of their arrival, without a check of their numbers. */
  anyOrder: boolean
  /** The key of a withdrawn post cannot add another post. */
  storesWithdrawnKeys: boolean
}
export const correctRules: ServerRules = {
  ...correctMessageRules,
  addOnce: 'unique',
  publishIn: 'release',
  releaseOnce: true,
  checkOwner: true,
  takesParts: true,
  anyOrder: false,
  storesWithdrawnKeys: true,
  checkOnce: true,
}

export class SimServer implements StoryServer {
  readonly posts: SimPost[] = []
  /** Token → person. */
  readonly tokens = new Map<string, string>()
  readonly rules: ServerRules
  /** Whether the disk is full: then requests with files are refused. */
  full = false
  readonly mutations: MutationServer
  readonly messages: MessageServer
  readonly #checks: CheckServer
  readonly #uploads: UploadServer
  readonly #issued = new Map<string, string>()
  readonly #withdrawn = new Set<string>()
  readonly #scale: Scale
  readonly #now: () => number
  #count = 0
  #answered = 0

  /** @param now virtual time, ms */
  constructor(
    rules: ServerRules,
    now: () => number,
    mutationRules: MutationRules = correctMutationRules,
    scale = small,
  ) {
    this.mutations = new MutationServer(mutationRules)
    this.#uploads = new UploadServer(rules, (id) => this.#isHeld(id), scale.chunk)
    this.messages = new MessageServer(rules, this.uploads, scale.chunk)
    this.#checks = new CheckServer(rules, this.uploads, scale.chunk)
    this.#scale = scale
    this.rules = rules
    this.#now = now
  }

  get uploads(): Map<string, SimUpload> {
    return this.#uploads.all
  }

  signIn(person: string): string {
    const token = `token-${person}-${this.#count++}`
    this.tokens.set(token, person)
    this.#issued.set(token, person)
    return token
  }

  accepts(token: string): boolean {
    return this.tokens.has(token)
  }
  /** The owner of a token, also after its end. */
  personOf(token: string): string | undefined {
    return this.#issued.get(token)
  }
  /** Ends the session of a token. */
  revoke(token: string | undefined): void {
    this.tokens.delete(token ?? '')
  }
  checks(): readonly ServerCheck[] {
    return this.#checks.all
  }
  holdsDocument(): boolean {
    return this.posts.some(({ uploads }) =>
      uploads.some((id) => this.uploads.get(id)?.purpose === 'identity'),
    )
  }
  loadFinalState(): Promise<void> {
    return Promise.resolve()
  }
  isPublic(postId: string): boolean {
    return this.posts.some((it) => it.id === postId && it.published > 0)
  }
  isPublicByKey(author: string, key: string): boolean {
    return this.posts.some((it) => it.author === author && it.key === key && it.published > 0)
  }
  hasCheck(owner: string, key: string): boolean {
    return this.#checks.all.some((it) => it.owner === owner && it.key === key)
  }
  expire(uploadId: string): void {
    if (!this.#isHeld(uploadId)) this.uploads.delete(uploadId)
  }

  /**
   * Returns the whole reply to a request.
   * @param share part of a body of an upload that arrived, 0..1; the server stores that part
   */
  answer(request: Request, share: number): Reply {
    const person = this.tokens.get((request.headers['Authorization'] ?? '').replace('Bearer ', ''))
    if (!person) return refusal(401, 'unauthenticated')
    this.#answered++
    const [, area, ...rest] = request.path.split('/')
    if (this.full && hasFiles(request)) {
      // The disk becomes full within the chunk: the bytes before that are stored.
      const part = addsBytes(request)
        ? this.#uploads.answer(request, rest, person, share / 2, this.#answered)
        : diskFullReply
      return part.status < 400 ? diskFullReply : part
    }
    if (area === 'upload-chunking-2')
      return this.#uploads.answer(request, rest, person, share, this.#answered)
    if (request.path === '/api/post/add') return this.#add(request, person)
    if (request.path === '/api/post/upload-chunking') return this.#chunk(request.body as SimForm, person)
    if (request.path === '/api/identity/checks') return this.#checks.answer(request, person)
    const withdraw = /^\/api\/post\/unreleased\/(.+)$/.exec(request.path)
    if (withdraw) return this.#withdraw(withdraw[1] ?? '', person)
    const release = /^\/api\/post\/release-uploaded\/(.+)$/.exec(request.path)
    if (release) return this.#release(release[1] ?? '', person)
    const answer = this.messages.answer(request, person) ?? this.mutations.answer(request, person)
    return answer ?? refusal(404, 'not_found')
  }

  /** Whether a post or message has the upload. */
  #isHeld(id: string): boolean {
    return this.posts.some((post) => post.uploads.includes(id)) || this.messages.holds(id)
  }

  #add(request: Request, person: string): Reply {
    const form = request.body as SimForm
    const key = request.headers['Idempotency-Key'] ?? ''
    const existing = this.posts.find((post) => post.author === person && post.key === key)
    const seen = existing && (this.rules.addOnce === 'unique' || existing.addedAt < this.#now())
    if (seen) return added(existing)
    if (this.rules.storesWithdrawnKeys && this.#withdrawn.has(`${person} ${key}`)) return refusal(410, 'gone')
    const announced = form.get('has_video_file') === '1'
    const uploads = [
      ...form.all('has_image_file[]').map(String),
      ...(announced ? [] : form.all('has_video_file').map(String)),
    ]
    const digests = new Map(
      form.all('upload_digest[]').map((it) => String(it).split(':') as [string, string]),
    )
    const leaf = this.#scale.chunk
    const mismatches: Record<string, string> = {}
    for (const id of uploads) {
      const upload = this.uploads.get(id)
      if (!upload || upload.owner !== person || upload.purpose !== '')
        return refusal(422, 'invalid', { [id]: 'unknown_upload' })
      if (upload.stored.length !== upload.size) return refusal(409, 'upload_incomplete')
      if (this.posts.some((post) => post.key !== key && post.uploads.includes(id)))
        return refusal(409, 'conflict')
      if (this.rules.checkDigest && upload.stored.digest(leaf) !== digests.get(id))
        mismatches[id] = 'malformed'
    }
    const pictures = form.all('image_file[]').map((it) => digestOf((it as SimBlob).data, leaf))
    const givenDigests = form.all('image_digest[]')
    if (this.rules.checkDigest && pictures.some((it, i) => it !== givenDigests[i]))
      mismatches['image_file[]'] = 'malformed'
    if (Object.keys(mismatches).length > 0) return refusal(422, 'digest_mismatch', mismatches)
    const post: SimPost = {
      id: `post-${this.#count++}`,
      author: person,
      key,
      content: form.text('content') ?? '',
      uploads,
      video: announced ? this.#announced(form) : null,
      files: [...uploads.map((id) => this.uploads.get(id)?.stored.digest(leaf) ?? ''), ...pictures],
      addedAt: this.#now(),
      published: 0,
    }
    this.posts.push(post)
    return added(post)
  }

  #announced(form: SimForm): LegacyVideo {
    const digest = form.text('video_digest') ?? ''
    return {
      id: `video-${this.#count++}`,
      digest,
      received: 0,
      stored: new UploadedBytes(),
      isComplete: false,
    }
  }

  #chunk(form: SimForm, person: string): Reply {
    const id = form.text('file_id') ?? ''
    const post = this.posts.find((it) => it.author === person && it.video?.id === id)
    const video = post?.video
    if (!video) return refusal(404, 'not_found')
    if (post.published > 0) return refusal(409, 'conflict')
    const index = Number(form.get('chunk'))
    if (index > video.received && !this.rules.anyOrder) return refusal(409, 'chunk_out_of_order')
    if (index === video.received || this.rules.anyOrder) {
      const file = form.get('file')
      if (file instanceof SimBlob) video.stored.add(file)
      video.received++
      video.isComplete = video.received === Number(form.get('chunks'))
    }
    return { status: 200, body: { data: { file_id: id, chunk: index, received: video.received } } }
  }

  #withdraw(id: string, person: string): Reply {
    const post = this.posts.find((it) => it.id === id && it.author === person)
    if (!post) return refusal(404, 'not_found')
    if (post.published > 0) return refusal(409, 'conflict')
    this.posts.splice(this.posts.indexOf(post), 1)
    this.#withdrawn.add(`${person} ${post.key}`)
    return { status: 200, body: { data: { id } } }
  }

  #release(id: string, person: string): Reply {
    const post = this.posts.find((it) => it.id === id && it.author === person)
    if (!post) return refusal(404, 'not_found')
    const { video } = post
    if (video && post.published === 0) {
      if (!video.isComplete) return refusal(409, 'upload_incomplete')
      const digest = video.stored.digest(this.#scale.chunk)
      if (this.rules.checkDigest && digest !== video.digest) {
        Object.assign(video, { received: 0, stored: new UploadedBytes(), isComplete: false })
        return refusal(422, 'digest_mismatch', { [video.id]: 'malformed' })
      }
      post.files = [digest]
    }
    const [uploadId] = post.uploads
    if (this.rules.publishIn === 'hook' && uploadId !== undefined)
      post.published = this.uploads.get(uploadId)?.hookRuns ?? 0
    else if (post.published === 0 || !this.rules.releaseOnce) post.published++
    return { status: 200, body: { data: { id, released_at: '2026-03-05T03:30:00.000Z' } } }
  }
}

function added(post: SimPost): Reply {
  return { status: 200, body: { data: [{ item: { id: post.id, video_id: post.video?.id ?? null } }] } }
}
