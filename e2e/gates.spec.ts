// What a fan sees of a post without having access to it.
import type { Page } from '@playwright/test'
import { creator, fan, signInByCookie } from './rig/people/people.ts'
import { publishWords } from './rig/posting/sending.ts'
import { expect, test } from './rig/story.ts'

/** Publishes a priced post. @returns its id */
const publishPriced = (url: string, content: string) =>
  publishWords(url, content, { type: '3', price: '1,200' })

/** The text where the page of a post shows it. */
const shown = (page: Page, text: string) => page.getByRole('main').getByText(text)

test('a priced post shows its price and not its text', async ({ server, network, phone }) => {
  const secret = '購入した人だけが読める文章'
  const id = await publishPriced(server.url, secret)
  const { page } = phone
  const answers: string[] = []
  page.on('response', (it) => {
    if (new URL(it.url()).pathname.startsWith('/api/'))
      void it.text().then(
        (body) => answers.push(body),
        () => '',
      )
  })
  await signInByCookie(page, network.url, fan)
  await page.goto(`${network.url}/post/${id}`)
  await expect(page.getByText('有料の投稿').first()).toBeVisible()
  await expect(page.getByText(/1,200円/).first()).toBeVisible()
  await expect(shown(page, secret)).toHaveCount(0)
  // The reply did not contain the text either.
  await expect.poll(() => answers.some((it) => it.includes(id) && it.includes('1200'))).toBe(true)
  expect(answers.join('\n')).not.toContain(secret)
})

test('its author sees a priced post in full', { tag: '@deep' }, async ({ server, network, phone }) => {
  const secret = '購入した人だけが読める文章'
  const id = await publishPriced(server.url, secret)
  await signInByCookie(phone.page, network.url, creator)
  await phone.page.goto(`${network.url}/post/${id}`)
  await expect(shown(phone.page, secret)).toBeVisible()
})
