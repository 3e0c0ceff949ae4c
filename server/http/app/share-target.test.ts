// A share without a service worker is redirected to the editor, which shows a notice.
import { expect, test } from 'vitest'
import { openWorld } from '#server/testing/world.ts'

test('the form of the share sheet is redirected to the editor, and its content is not stored', async () => {
  const world = await openWorld({ listen: true })
  const form = new FormData()
  form.set('text', '朝の海')
  form.set('media', new Blob([new Uint8Array(3_000_000)]), 'a.mp4')
  const answer = await fetch(`${world.origin}/share-target`, {
    method: 'POST',
    body: form,
    redirect: 'manual',
  })
  expect([answer.status, answer.headers.get('location')]).toEqual([303, '/post/upload2?share=away'])
  await world.close()
})
