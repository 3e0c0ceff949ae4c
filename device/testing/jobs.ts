// Jobs of each kind as the device stores them, for tests.
import { newId } from '#contract/ids.ts'
import type { FileState, JobFile } from '#device/jobs/file-row.ts'
import type { IdentityJob, MessageJob, MutationJob, PostJob, Preupload } from '#device/jobs/job-rows.ts'
import { newFile, noFailures } from '#device/jobs/new-files.ts'

const OWNER = 'aoi'

interface Sized {
  readonly id: string
  /** Bytes. */
  readonly size: number
}

/** A post of these pictures of which nothing was sent yet; of the one video where `protocol` is that of chunks. */
export function postJob(files: readonly Sized[] = [], more: Partial<PostJob> = {}): PostJob {
  const kind = files.length === 0 ? 'none' : more.protocol === 'chunked' ? 'video' : 'images'
  return {
    kind: 'post',
    id: 'posted',
    ownerId: OWNER,
    key: 'key',
    protocol: 'tus',
    form: {
      content: 'a',
      title: '',
      introduction: '',
      type: 1,
      planIds: [],
      price: '',
      isAgeLimited: false,
      commentsClosed: false,
      filmDeclaration: null,
      kind,
      duration: null,
      thumbnailId: null,
      frameId: null,
    },
    files: files.map(newFile),
    stage: { is: 'open' },
    readds: 0,
    ...noFailures,
    createdAt: 1,
    ...more,
  }
}

/** A file of 200 bytes in this state. */
export const fileIn = (state: FileState, id: string = newId()): JobFile => ({
  ...newFile({ id, size: 200 }),
  state,
})

/** A preupload of these files of which nothing was sent yet. */
export function preuploadJob(files: readonly Sized[] = [], more: Partial<Preupload> = {}): Preupload {
  return {
    kind: 'preupload',
    id: 'written',
    ownerId: OWNER,
    files: files.map(newFile),
    stage: { is: 'open' },
    ...noFailures,
    createdAt: 0,
    ...more,
  }
}

/** An identity check of these files of which nothing was sent yet. */
export function identityJob(files: readonly Sized[] = [], more: Partial<IdentityJob> = {}): IdentityJob {
  const [front = newId(), live = newId()] = files.map((it) => it.id)
  return {
    kind: 'identity',
    id: newId(),
    ownerId: OWNER,
    key: newId(),
    form: { documentKind: 'passport', promptsId: newId(), front, back: null, live },
    files: files.map(newFile),
    stage: { is: 'open' },
    ...noFailures,
    createdAt: 1,
    ...more,
  }
}

/** A message of these files of which nothing was sent yet. */
export function messageJob(files: readonly Sized[] = [], more: Partial<MessageJob> = {}): MessageJob {
  const id = newId()
  return {
    kind: 'message',
    id,
    ownerId: OWNER,
    key: id,
    form: { recipientId: newId(), content: 'a', replyTo: null, about: '蓮' },
    files: files.map(newFile),
    stage: { is: 'open' },
    ...noFailures,
    createdAt: 1,
    ...more,
  }
}

/** A like that was not sent yet. */
export function likeJob(more: Partial<MutationJob> = {}): MutationJob {
  return {
    kind: 'mutation',
    id: newId(),
    ownerId: OWNER,
    form: { mutation: { name: 'likePost', params: { post_id: newId() } }, about: '蓮' },
    stage: { is: 'open' },
    ...noFailures,
    createdAt: 1,
    ...more,
  }
}
