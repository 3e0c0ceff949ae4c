// Editors that open one address at the same time show one draft.
import 'fake-indexeddb/auto'
import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { changeDraft, emptyDraft } from '#device/drafts/drafts.ts'
import { openEditor } from './open-editor.ts'

/** Lets this many turns of the event loop pass, in which the device's transactions go on. */
async function turns(count: number): Promise<void> {
  for (let n = 0; n < count; n++) await setImmediate()
}

test('an editor shows the requested draft, at whatever moment of its opening another one stores it', async () => {
  const ownerId = newId()
  for (let delay = 0; delay < 25; delay++) {
    const base = { ...emptyDraft(ownerId, 0), id: newId() }
    const opening = openEditor(ownerId, 'tus', base.id)
    await turns(delay)
    await changeDraft(base, (it) => ({ ...it, content: '共有した文' }), 1)
    const editor = await opening
    expect([delay, editor.get().draft.id]).toEqual([delay, base.id])
    editor.close()
  }
})

test('the address of a draft of another person opens a new one', async () => {
  const [ownerId, other] = [newId(), newId()]
  const draft = emptyDraft(other, 0)
  await changeDraft(draft, (it) => ({ ...it, content: '別の人の下書き' }), 1)
  const editor = await openEditor(ownerId, 'tus', draft.id)
  expect(editor.get().draft).toMatchObject({ ownerId, content: '' })
  expect(editor.get().draft.id).not.toBe(draft.id)
  editor.close()
})
