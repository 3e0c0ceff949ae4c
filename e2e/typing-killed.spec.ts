// Text typed more than a second before the browser is killed is restored.
import type { Locator, Page } from '@playwright/test'
import { afterDelay } from './rig/moments.ts'
import { creator, fan, signInByCookie } from './rig/people/people.ts'
import type { Phone } from './rig/browsers/phone.ts'
import { postsWithText, publishTexts } from './rig/posting/posts.ts'
import { runsWhole } from './rig/sample.ts'
import { expect, test } from './rig/story.ts'
import { textAt, typeUntil } from './rig/posting/typing.ts'

const KILLS = runsWhole ? 5 : 2

/**
 * Types into the focused field and kills the browser up to a second after `ms`. The random moment meets each stage of a
 * write. @returns what was typed one second before the kill
 */
async function killWhileTyping(phone: Phone, ms: number): Promise<string> {
  const killed = afterDelay(ms + Math.random() * 1000).then(async () => {
    const at = Date.now()
    // oxlint-disable-next-line house/story-leaving -- the story is about a kill at any moment of a write
    await phone.kill()
    return at
  })
  const typed = await typeUntil(phone.page, killed)
  return textAt(typed, (await killed) - 1000)
}

/** Waits until the field has a text that begins with this one and is not empty. @returns it */
async function restored(field: Locator, beginning: string): Promise<string> {
  await expect(field).toHaveValue(new RegExp(`^${beginning}`))
  await expect(field).not.toHaveValue('')
  // Settled: the editor takes over what is stored at once.
  return field.inputValue()
}

test('after each kill while a post is written, no character older than a second is missing', async ({
  network,
  phone,
}) => {
  await signInByCookie(phone.page, network.url, creator)
  let before = ''
  const field = (page: Page) => page.getByRole('textbox', { name: '本文' })
  for (let kill = 1; kill <= KILLS; kill++) {
    await phone.page.goto(`${network.url}/post/upload2`)
    await expect(field(phone.page)).toHaveValue(before)
    await field(phone.page).focus()
    await field(phone.page).press('Control+End')
    const written = await killWhileTyping(phone, 1500)
    await phone.start()
    await phone.page.goto(`${network.url}/post/upload2`)
    before = await restored(field(phone.page), before + written)
  }
})

test(
  'after a kill while a comment is written, no character older than a second is missing',
  { tag: '@deep' },
  async ({ server, network, phone }) => {
    await publishTexts(server.url, creator, '落ちながら読む投稿')
    const [post] = await postsWithText(server.url, '落ちながら読む投稿')
    await signInByCookie(phone.page, network.url, fan)
    const field = (page: Page) => page.getByRole('textbox', { name: 'コメントを書く' })
    await phone.page.goto(`${network.url}/post/${post?.id}`)
    await phone.page.getByRole('button', { name: 'コメントを書く' }).click()
    await field(phone.page).focus()
    const written = await killWhileTyping(phone, 2000)
    await phone.start()
    await phone.page.goto(`${network.url}/post/${post?.id}`)
    await restored(field(phone.page), written)
  },
)

test('a page that is closed at once does not lose the last character', async ({ network, phone }) => {
  await signInByCookie(phone.page, network.url, creator)
  const page = await phone.context.newPage()
  // Storing a draft does not complete here, and the page ends without an event, as on a busy device: Chromium waits half
  // a second for one.
  await page.addInitScript(`{
    for (const end of ['pagehide', 'visibilitychange', 'freeze'])
      addEventListener(end, (event) => event.stopImmediatePropagation(), { capture: true })
    const stuck = new Promise(() => {})
    const { put } = IDBObjectStore.prototype
    IDBObjectStore.prototype.put = function (...given) {
      return this.name === 'drafts' ? stuck : put.apply(this, given)
    }
  }`)
  await page.goto(`${network.url}/post/upload2`)
  await page.getByRole('textbox', { name: '本文' }).fill('閉じる前の最後の文字')
  // oxlint-disable-next-line house/story-leaving -- the story is about leaving right after the last character
  await page.goto('about:blank')
  await phone.page.goto(`${network.url}/post/upload2`)
  await expect(phone.page.getByRole('textbox', { name: '本文' })).toHaveValue('閉じる前の最後の文字')
})
