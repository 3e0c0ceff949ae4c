// An interrupted share continues with the files that the draft does not have.
import { expect, test, vi } from 'vitest'
import { emptyDraft } from '#device/drafts/drafts.ts'
import type { Shared } from '#device/database/schema.ts'
import { stateOf } from '#src/features/publish/editor/editor-state.ts'
import { addShared, filesToAdd } from './shared.ts'

const files = (...names: string[]) => names.map((name) => ({ name }))

test('all files are added to a draft without files, in their order', () => {
  expect(filesToAdd(files('b.jpg', 'a.mp4'), [])).toEqual(files('b.jpg', 'a.mp4'))
})

test('a file of the draft is not added again, nor a photo whose extension was changed', () => {
  expect(filesToAdd(files('a.heic', 'b.jpg', 'c.jpg'), files('a.jpg', 'c.jpg'))).toEqual(files('b.jpg'))
})

test('two files of one name are each added once', () => {
  expect(filesToAdd(files('image.jpg', 'image.jpg'), files('image.jpg'))).toEqual(files('image.jpg'))
})

/** A device whose share is read only after this many failed tries, and an editor that takes it. */
function deviceThatFails(times: number) {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  const draft = emptyDraft('owner', 0)
  const share: Shared = { id: draft.id, ownerId: null, text: '海', files: [], at: 0 }
  const read = vi.fn<() => Promise<Shared | undefined>>().mockResolvedValue(share)
  for (let n = 0; n < times; n++) read.mockRejectedValueOnce(new DOMException('internal', 'UnknownError'))
  const waits: number[] = []
  const drop = vi.fn<(id: string) => Promise<void>>().mockResolvedValue()
  const wait = async (ms: number) => void waits.push(ms)
  const change = vi.fn<(change: { content?: string }) => void>()
  const editor = {
    get: () => stateOf(draft),
    subscribe: () => () => undefined,
    change,
    add: async () => undefined,
    remove: async () => undefined,
  }
  return { ports: { read, drop, wait }, waits, editor, change, drop }
}

test('a share that cannot be read at first is read again, and then deleted', async () => {
  const { ports, editor, change, drop, waits } = deviceThatFails(2)
  await addShared(editor, ports)
  expect([change.mock.calls, drop.mock.calls.length, waits]).toEqual([[[{ content: '海' }]], 1, [1000, 5000]])
})

test('a share that cannot be read three times is reported, and stays on the device', async () => {
  const { ports, editor, drop } = deviceThatFails(3)
  await expect(addShared(editor, ports)).rejects.toThrow('internal')
  expect(drop).not.toHaveBeenCalled()
})
