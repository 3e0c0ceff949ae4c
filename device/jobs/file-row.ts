// The row of a job's file: its size, and what the server has of it.
import * as v from 'valibot'
import { id } from '#contract/ids.ts'
import { failureCode } from './failure-code.ts'

const count = v.pipe(v.number(), v.integer(), v.minValue(0))

/**
 * What the server has of a file. `acked`: bytes, by the server's last reply; a later reply may give fewer. `url`: the address of
 * the upload (its last path segment is the upload's id, specification section 3); null where the server has returned none.
 */
const upload = v.object({ acked: count, url: v.nullable(v.string()) })
export type Upload = v.InferOutput<typeof upload>

/** What the queue does with the file once the server has removed its bytes. */
const afterDiscard = v.picklist(['send', 'pause', 'remove'])

export const fileState = v.variant('is', [
  /** The server has nothing of it, by its replies so far. */
  v.object({ is: v.literal('waiting') }),
  /** An upload was begun on the server. If it is missing there, the server has lost it (`resends.gone`). */
  v.object({ is: v.literal('sending'), upload }),
  /** The server has every byte. */
  v.object({ is: v.literal('sent'), url: v.nullable(v.string()) }),
  /** The person paused it. `upload`: null where the server has nothing. */
  v.object({ is: v.literal('paused'), upload: v.nullable(upload) }),
  /** The server refuses this file; the others continue. */
  v.object({ is: v.literal('failed'), code: failureCode, upload: v.nullable(upload) }),
  /** The bytes on the server are wrong or unwanted and have to be removed there. */
  v.object({ is: v.literal('discarding'), url: v.nullable(v.string()), next: afterDiscard }),
])
export type FileState = v.InferOutput<typeof fileState>

export const fileRow = v.object({
  /** The media's id. */
  id,
  /** Bytes. */
  size: count,
  state: fileState,
  /** How often the file was sent again from its first byte. `digest`: the server had other bytes; `gone`: it had lost the upload. */
  resends: v.object({ digest: count, gone: count }),
})
export type JobFile = v.InferOutput<typeof fileRow>

/** Bytes of a file that the server has and that stay there. */
export function ackedOf({ size, state }: JobFile): number {
  switch (state.is) {
    case 'waiting':
    case 'discarding':
      return 0
    case 'sending':
      return state.upload.acked
    case 'sent':
      return size
    case 'paused':
    case 'failed':
      return state.upload?.acked ?? 0
    default:
      return state satisfies never
  }
}

/** The upload of a file on the server; null where there is none, or it is to be discarded. */
export function uploadOf({ size, state }: JobFile): Upload | null {
  switch (state.is) {
    case 'waiting':
    case 'discarding':
      return null
    case 'sending':
    case 'paused':
    case 'failed':
      return state.upload
    case 'sent':
      return { acked: size, url: state.url }
    default:
      return state satisfies never
  }
}

/** The address of a file's upload, also of one to be discarded; null where the server has returned none. */
export const urlOf = (file: JobFile): string | null =>
  file.state.is === 'discarding' ? file.state.url : (uploadOf(file)?.url ?? null)

/** Whether the person removed the file; its row is deleted once the server has deleted the bytes. */
export const isRemovedFile = ({ state }: JobFile): boolean =>
  state.is === 'discarding' && state.next === 'remove'

/** The files of a job without those that the person removed. */
export const remainingFiles = (files: readonly JobFile[]): JobFile[] =>
  files.filter((it) => !isRemovedFile(it))
