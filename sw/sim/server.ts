// The server as the queue meets it: resumable uploads, add once per key, release once. Same rules as server/.
import { LEGACY_CHUNK } from '#contract/limits.ts'
import { type ActRules, ActServer, soundActRules } from './act-server.ts'
import { digestOf, Pile, type Run, runOf } from './bytes.ts'
import { type CheckRules, CheckServer } from './check-server.ts'
import { bringsFiles, noRoom } from './full-disk.ts'
import { refusal, type Reply, type Request } from './exchange.ts'

interface SimUpload {
  owner: string
  /** What it was sent for; '' for a post. */
  purpose: string
  size: number
  pile: Pile
  /** How often the hook has run. */
  hooked: number
}
interface LegacyVideo {
  id: string
  digest: string
  received: number
  pile: Pile
  whole: boolean
}
export interface SimPost {
  id: string
  author: string
  key: string
  content: string
  uploads: string[]
  /** The video that follows in chunks. */
  video: LegacyVideo | null
  /** The bytes it holds are those that were picked. */
  whole: boolean
  addedAt: number
  /** How often followers were told. */
  published: number
}

/** Rules of the server that a test may break on purpose. */
export interface ServerRules extends CheckRules {
  /** `select` looks first and inserts later: two requests at one moment do not see each other. */
  addOnce: 'unique' | 'select'
  /** `hook`: when an upload's last byte is there, by a hook that runs not at all, once, or twice. */
  publishIn: 'release' | 'hook'
  releaseOnce: boolean
  checkOwner: boolean
  /** Chunks are piled up as they come, whatever their number. */
  anyOrder: boolean
}
export const soundRules: ServerRules = {
  addOnce: 'unique',
  publishIn: 'release',
  releaseOnce: true,
  checkDigest: true,
  checkOwner: true,
  anyOrder: false,
  checkOnce: true,
}

export class SimServer {
  readonly uploads = new Map<string, SimUpload>()
  readonly posts: SimPost[] = []
  /** Token → person. */
  readonly tokens = new Map<string, string>()
  readonly rules: ServerRules
  /** The disk has no room: requests with files are asked to come later. */
  full = false
  readonly acts: ActServer
  readonly checks: CheckServer
  readonly #now: () => number
  #count = 0
  #answered = 0

  /** @param now virtual time, ms */
  constructor(rules: ServerRules, now: () => number, acts: ActRules = soundActRules) {
    this.acts = new ActServer(acts)
    this.checks = new CheckServer(rules, this.uploads)
    this.rules = rules
    this.#now = now
  }

  signIn(person: string): string {
    const token = `token-${person}-${this.#count++}`
    this.tokens.set(token, person)
    return token
  }

  /**
   * Answers a request whole.
   * @param share how much of a PATCH body arrived, 0..1; the server keeps what it received
   */
  answer(request: Request, share: number): Reply {
    const person = this.tokens.get((request.headers['Authorization'] ?? '').replace('Bearer ', ''))
    if (!person) return refusal(401, 'unauthenticated')
    this.#answered++
    const [, area, ...rest] = request.path.split('/')
    if (this.full && bringsFiles(request)) {
      // A chunk ends where the disk does: what was written before stays.
      const part = request.method === 'PATCH' ? this.#upload(request, rest[0], person, share / 2) : noRoom
      return part.status < 400 ? noRoom : part
    }
    if (area === 'upload-chunking-2') return this.#upload(request, rest[0], person, share)
    if (request.path === '/api/post/add') return this.#add(request, person)
    if (request.path === '/api/post/upload-chunking') return this.#chunk(request.body as FormData, person)
    if (request.path === '/api/identity/checks') return this.checks.answer(request, person)
    const withdraw = /^\/api\/post\/unreleased\/(.+)$/.exec(request.path)
    if (withdraw) return this.#withdraw(withdraw[1] ?? '', person)
    const release = /^\/api\/post\/release-uploaded\/(.+)$/.exec(request.path)
    if (release) return this.#release(release[1] ?? '', person)
    return this.acts.answer(request, person) ?? refusal(404, 'not_found')
  }

  #upload(request: Request, id: string | undefined, person: string, share: number): Reply {
    if (!id) return this.#create(request, person)
    const upload = this.uploads.get(id)
    if (!upload || (this.rules.checkOwner && upload.owner !== person)) return refusal(404, 'not_found')
    const state = {
      'Upload-Offset': String(upload.pile.length),
      'Upload-Length': String(upload.size),
      'Tus-Resumable': '1.0.0',
    }
    if (request.method === 'HEAD') return { status: 200, headers: state }
    if (request.method === 'DELETE') {
      if (this.posts.some((post) => post.uploads.includes(id))) return refusal(423, 'upload_held')
      this.uploads.delete(id)
      return { status: 204 }
    }
    const run = request.body as Run
    if (Number(request.headers['Upload-Offset']) !== upload.pile.length)
      return { ...refusal(409, 'offset_mismatch'), headers: state }
    upload.pile.add(run, id, Math.floor(run.size * share))
    if (upload.pile.length === upload.size) upload.hooked += this.#answered % 3
    return { status: 204, headers: { ...state, 'Upload-Offset': String(upload.pile.length) } }
  }

  #create(request: Request, person: string): Reply {
    const metadata = Object.fromEntries(
      (request.headers['Upload-Metadata'] ?? '').split(',').map((pair) => {
        const [key, value] = pair.split(' ')
        return [key, Buffer.from(value ?? '', 'base64').toString()]
      }),
    )
    const id = String(metadata['id'])
    const known = this.uploads.get(id)
    if (known) return known.owner === person ? refusal(409, 'upload_exists') : refusal(404, 'not_found')
    this.uploads.set(id, {
      owner: person,
      purpose: String(metadata['purpose'] ?? ''),
      size: Number(request.headers['Upload-Length']),
      pile: new Pile(),
      hooked: 0,
    })
    return { status: 201, headers: { Location: `/upload-chunking-2/${id}`, 'Tus-Resumable': '1.0.0' } }
  }

  #add(request: Request, person: string): Reply {
    const form = request.body as FormData
    const key = request.headers['Idempotency-Key'] ?? ''
    const before = this.posts.find((post) => post.author === person && post.key === key)
    const seen = before && (this.rules.addOnce === 'unique' || before.addedAt < this.#now())
    if (seen) return added(before)
    const announced = form.get('has_video_file') === '1'
    const uploads = [
      ...form.getAll('has_image_file[]'),
      announced ? null : form.get('has_video_file'),
    ].filter((it) => it !== null)
    const digests = new Map(
      form.getAll('upload_digest[]').map((it) => String(it).split(':') as [string, string]),
    )
    const differing: Record<string, string> = {}
    for (const id of uploads.map(String)) {
      const upload = this.uploads.get(id)
      if (!upload || upload.owner !== person || upload.purpose !== '')
        return refusal(422, 'invalid', { [id]: 'unknown_upload' })
      if (upload.pile.length !== upload.size) return refusal(409, 'upload_incomplete')
      if (this.posts.some((post) => post.key !== key && post.uploads.includes(id)))
        return refusal(409, 'conflict')
      if (this.rules.checkDigest && upload.pile.digest(id) !== digests.get(id)) differing[id] = 'malformed'
    }
    const pictures = form.getAll('image_file[]').map((file) => runOf(file))
    const said = form.getAll('image_digest[]')
    if (this.rules.checkDigest && pictures.some((run, i) => digestOf(run.of) !== said[i]))
      differing['image_file[]'] = 'malformed'
    if (Object.keys(differing).length > 0) return refusal(422, 'digest_mismatch', differing)
    const post: SimPost = {
      id: `post-${this.#count++}`,
      author: person,
      key,
      content: String(form.get('content')),
      uploads: uploads.map(String),
      video: announced ? this.#announced(form) : null,
      whole:
        uploads.every((id) => this.uploads.get(String(id))?.pile.spoilt === false) &&
        pictures.every((run) => run.of !== 'noise'),
      addedAt: this.#now(),
      published: 0,
    }
    this.posts.push(post)
    return added(post)
  }

  #announced(form: FormData): LegacyVideo {
    const digest = String(form.get('video_digest'))
    return { id: `video-${this.#count++}`, digest, received: 0, pile: new Pile(), whole: false }
  }

  #chunk(form: FormData, person: string): Reply {
    const id = String(form.get('file_id'))
    const post = this.posts.find((it) => it.author === person && it.video?.id === id)
    const video = post?.video
    if (!video) return refusal(404, 'not_found')
    if (post.published > 0) return refusal(409, 'conflict')
    const index = Number(form.get('chunk'))
    if (index > video.received && !this.rules.anyOrder) return refusal(409, 'chunk_out_of_order')
    if (index === video.received || this.rules.anyOrder) {
      const run = runOf(form.get('file'))
      if (run.from !== index * LEGACY_CHUNK || digestOf(run.of) !== video.digest) video.pile.spoilt = true
      video.pile.length += run.size
      video.received++
      video.whole = video.received === Number(form.get('chunks'))
    }
    return { status: 200, body: { data: { file_id: id, chunk: index, received: video.received } } }
  }

  #withdraw(id: string, person: string): Reply {
    const post = this.posts.find((it) => it.id === id && it.author === person)
    if (!post) return refusal(404, 'not_found')
    if (post.published > 0) return refusal(409, 'conflict')
    this.posts.splice(this.posts.indexOf(post), 1)
    return { status: 200, body: { data: { id } } }
  }

  #release(id: string, person: string): Reply {
    const post = this.posts.find((it) => it.id === id && it.author === person)
    if (!post) return refusal(404, 'not_found')
    const { video } = post
    if (video && post.published === 0) {
      if (!video.whole) return refusal(409, 'upload_incomplete')
      if (this.rules.checkDigest && video.pile.spoilt) {
        Object.assign(video, { received: 0, pile: new Pile(), whole: false })
        return refusal(422, 'digest_mismatch', { [video.id]: 'malformed' })
      }
      post.whole &&= !video.pile.spoilt
    }
    const [held] = post.uploads
    if (this.rules.publishIn === 'hook' && held !== undefined)
      post.published = this.uploads.get(held)?.hooked ?? 0
    else if (post.published === 0 || !this.rules.releaseOnce) post.published++
    return { status: 200, body: { data: { id, released_at: '2026-03-05T03:30:00.000Z' } } }
  }
}

function added(post: SimPost): Reply {
  return { status: 200, body: { data: [{ item: { id: post.id, video_id: post.video?.id ?? null } }] } }
}
