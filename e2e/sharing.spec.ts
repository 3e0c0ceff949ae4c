// The share target: content of other apps becomes a draft, also after an interruption.
import type { Page } from '@playwright/test'
import { press } from './rig/posting/editor.ts'
import { creator, signInByCookie } from './rig/people/people.ts'
import { temporaryFolder } from './rig/network/ports.ts'
import { waitForPost, originals } from './rig/posting/posts.ts'
import { deepUnless } from './rig/sample.ts'
import { expect, test } from './rig/story.ts'
import { makeVideo } from './rig/posting/video.ts'

/** Submits the form that the system submits to a share target (manifest: share_target). */
async function share(page: Page, text: string, files: string[]): Promise<void> {
  await page.evaluate((sharedText) => {
    const form = document.createElement('form')
    Object.assign(form, {
      method: 'post',
      enctype: 'multipart/form-data',
      action: '/share-target',
      id: 'sheet',
    })
    for (const [name, value] of [
      ['title', ''],
      ['text', sharedText],
    ])
      form.append(Object.assign(document.createElement('input'), { type: 'hidden', name, value }))
    form.append(
      Object.assign(document.createElement('input'), { type: 'file', name: 'media', multiple: true }),
    )
    document.body.append(form)
  }, text)
  await page.locator('#sheet input[type=file]').setInputFiles(files)
  await page.evaluate(() => document.querySelector<HTMLFormElement>('#sheet')?.submit())
  await page.waitForURL(/\/post\/upload2\?draft=/)
}

const waiting = (page: Page): Promise<number> =>
  page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const open = indexedDB.open('todoke')
        open.addEventListener('success', () => {
          const count = open.result.transaction('shared').objectStore('shared').count()
          count.addEventListener('success', () => {
            open.result.close()
            resolve(count.result)
          })
        })
      }),
  )

for (const megabytes of [60, 200])
  test(
    `a shared video of ${megabytes} MB survives a killed browser, becomes a draft, and is posted byte for byte`,
    deepUnless(megabytes === 60),
    async ({ server, network, phone }) => {
      const content = `共有した海の動画 ${megabytes} MB`
      const sea = makeVideo(`${temporaryFolder('sharing')}/sea.mp4`, megabytes * 1_000_000)
      await signInByCookie(phone.page, network.url, creator)
      await phone.page.goto(`${network.url}/settings`)
      // The bytes may be stored within a second: the page itself waits for the bar, at each frame.
      const progress = phone.page.getByRole('progressbar').first().waitFor()
      await share(phone.page, content, [sea.path])
      await Promise.all([
        progress,
        expect(phone.page.getByRole('textbox', { name: '本文' })).toHaveValue(content),
      ])
      const draft = phone.page.url()
      // oxlint-disable-next-line house/story-leaving -- the worker stores all that is shared before it opens this page, which still copies
      await phone.kill()

      await phone.start()
      await phone.page.goto(draft)
      await expect(phone.page.getByRole('textbox', { name: '本文' })).toHaveValue(content)
      await expect.poll(() => waiting(phone.page)).toBe(0)
      await expect(phone.page.getByRole('button', { name: 'sea.mp4を外す' })).toHaveCount(1)
      await press(phone.page, network.url)
      const post = await waitForPost(server.url, content)
      await expect.poll(() => originals(server.url, post)).toEqual([sea.sha256])
    },
  )

test(
  'content that cannot be shared is explained, and the editor is ready',
  { tag: '@deep' },
  async ({ network, phone }) => {
    const { page } = phone
    await signInByCookie(page, network.url, creator)
    await page.goto(`${network.url}/settings`)
    await page.evaluate(() => {
      const form = Object.assign(document.createElement('form'), { method: 'post', action: '/share-target' })
      document.body.append(form)
      form.submit()
    })
    await expect(page.getByText('共有された内容に、投稿できるものがありませんでした。')).toBeVisible()
    await expect(page.getByRole('textbox', { name: '本文' })).toBeEditable()
  },
)
