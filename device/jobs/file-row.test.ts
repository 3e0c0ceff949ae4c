// What the server has of a file, by the state of the file.
import { expect, test } from 'vitest'
import { fileIn } from '#device/testing/jobs.ts'
import { ackedOf, isRemovedFile, uploadOf, urlOf, remainingFiles, type FileState } from './file-row.ts'

const upload = { acked: 80, url: '/uploads/1' }

/** The state, then the bytes, the upload and the address that the server has. */
const states: [state: FileState, acked: number, known: typeof upload | null, url: string | null][] = [
  [{ is: 'waiting' }, 0, null, null],
  [{ is: 'sending', upload }, 80, upload, upload.url],
  [{ is: 'sent', url: '/uploads/2' }, 200, { acked: 200, url: '/uploads/2' }, '/uploads/2'],
  [{ is: 'paused', upload }, 80, upload, upload.url],
  [{ is: 'paused', upload: null }, 0, null, null],
  [{ is: 'failed', code: 'forbidden', upload }, 80, upload, upload.url],
  [{ is: 'failed', code: 'forbidden', upload: null }, 0, null, null],
  [{ is: 'discarding', url: '/uploads/3', next: 'send' }, 0, null, '/uploads/3'],
  [{ is: 'discarding', url: null, next: 'remove' }, 0, null, null],
]

test.each(states)(
  'for a file in state %j the server has the bytes that it acknowledged',
  (state, acked, known, url) => {
    const file = fileIn(state)
    expect(ackedOf(file)).toBe(acked)
    expect(uploadOf(file)).toEqual(known)
    expect(urlOf(file)).toBe(url)
  },
)

test('only files that are removed after their discard leave the job', () => {
  const files = states.map(([state]) => fileIn(state))
  const removed = fileIn({ is: 'discarding', url: '/uploads/4', next: 'remove' })
  expect(files.filter(isRemovedFile)).toEqual(files.slice(-1))
  expect(remainingFiles([...files, removed])).toEqual(files.slice(0, -1))
})
