// A share that no worker took: the browser is led to the editor, which says so.
import { expect, test } from 'vitest'
import { openWorld } from '#server/testing/world.ts'

test('the share sheet’s form is led to the editor, and what it held is kept nowhere', async () => {
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
