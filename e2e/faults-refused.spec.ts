// Permanent refusals: the post fails with its reason, and nothing is lost.
import type { Page } from '@playwright/test'
import { press } from './rig/posting/editor.ts'
import { waitUntilDelivered } from './rig/posting/delivery.ts'
import { postsWithText } from './rig/posting/posts.ts'
import {
  bothProtocols,
  chunked,
  expect,
  type MatrixSetup,
  openTray,
  expectPublishedOnce,
  publish,
  resumable,
  test,
} from './rig/posting/fault-matrix.ts'
import { deepUnless } from './rig/sample.ts'

interface Refusal {
  readonly status: number
  readonly body: object
  readonly sentence: string
}

const refusal = (status: number, code: string, sentence: string): Refusal => ({
  status,
  body: { error: { code } },
  sentence,
})

const forbidden = refusal(403, 'forbidden', 'この操作はできません。')
const tooLarge = refusal(413, 'too_large', 'ファイルが大きすぎます。小さいファイルを選択してください。')
const unsupported = refusal(
  415,
  'unsupported_media',
  'この形式のファイルは投稿できません。別のファイルを選択してください。',
)
const invalid = refusal(422, 'invalid', '入力内容をご確認ください。')

const refused = ({ status, body }: Refusal) =>
  ({ is: 'answered', status, body: JSON.stringify(body) }) as const

/** The alert of the specification, and the reason in the tray. */
async function failsWith(page: Page, sentence: string): Promise<void> {
  const toasts = page.getByRole('region', { name: '操作の結果' })
  await expect(toasts.getByText('エラーが発生しました。再度投稿をお試しください。')).toBeVisible()
  await openTray(page)
  const tray = page.getByRole('dialog', { name: '送信中の投稿' })
  await expect(tray.getByText(sentence, { exact: true })).toBeVisible()
}

/** Publishes a post whose request of this kind is refused, and opens the tray. */
async function refuse(matrix: MatrixSetup, at: string, request: string, answer: Refusal, content: string) {
  const { network, phone, server, film } = matrix
  network.once(request, refused(answer))
  await publish(matrix, at, content, film)
  await failsWith(phone.page, answer.sentence)
  // Settled: the post has failed with its reason, and is sent no further.
  expect(await postsWithText(server.url, content)).toEqual([])
}

/** Every refusal and every request that can get one. sw/queue/requests/outcome.test.ts tests the statuses. */
const rows = [
  [resumable.at, resumable.create, forbidden, deepUnless(false)],
  [resumable.at, resumable.send, tooLarge, deepUnless(false)],
  [resumable.at, resumable.add, unsupported, deepUnless(false)],
  [resumable.at, resumable.add, invalid, deepUnless(true)],
  [chunked.at, chunked.add, forbidden, deepUnless(false)],
  [chunked.at, chunked.add, tooLarge, deepUnless(false)],
  [chunked.at, chunked.send, unsupported, deepUnless(false)],
  [chunked.at, chunked.send, invalid, deepUnless(false)],
] as const

for (const [at, request, answer, row] of rows)
  test(
    `${at}: ${request} is answered ${answer.status}: it fails with its reason and is a draft again`,
    row,
    async ({ matrix }) => {
      const { network, phone, film } = matrix
      const { page } = phone
      const content = `${at} ${request} ${answer.status}`
      await refuse(matrix, at, request, answer, content)
      // A refusal that the same bytes would meet again has no retry button.
      const again = page.getByRole('button', { name: /もう一度送信$/ }).first()
      await expect(again).toBeVisible({ visible: ![413, 415, 422].includes(answer.status) })
      await page.getByRole('button', { name: '編集に戻る' }).click()
      await expect(page.getByRole('textbox', { name: '本文' })).toHaveValue(content)
      await expect(page.getByRole('button', { name: /を外す$/ })).toHaveCount(1)
      await press(page, network.url)
      await expectPublishedOnce(matrix, content, film)
    },
  )

test(
  `${chunked.at}: a video refused after its post was added is tried again: posted once`,
  { tag: '@deep' },
  async ({ matrix }) => {
    const content = `${chunked.at} 断られてもう一度`
    await refuse(matrix, chunked.at, chunked.send, forbidden, content)
    await matrix.phone.page.getByRole('button', { name: /をもう一度送信$/ }).click()
    await expectPublishedOnce(matrix, content, matrix.film)
  },
)

test(`${chunked.at}: a video refused after its post was added is withdrawn: nothing is posted`, async ({
  matrix,
}) => {
  const { phone, network, server } = matrix
  const { page } = phone
  const content = `${chunked.at} 断られてやめる`
  await refuse(matrix, chunked.at, chunked.send, unsupported, content)
  await page.getByRole('button', { name: '送信を取り消す' }).click()
  await page.getByRole('button', { name: '取り消す', exact: true }).click()
  await waitUntilDelivered(matrix)
  await page.goto(`${network.url}${chunked.at}`)
  await expect(page.getByRole('textbox', { name: '本文' })).toHaveValue(content)
  // Settled: the device has no job left, and the text is in the editor again.
  expect(await postsWithText(server.url, content)).toEqual([])
  // The next row finds an empty editor: the file is shown until its removal is stored.
  await page.getByRole('button', { name: /を外す$/ }).click()
  await expect(page.getByRole('button', { name: /を外す$/ })).toHaveCount(0)
  await page.getByRole('textbox', { name: '本文' }).fill('')
})

for (const { at, release } of bothProtocols)
  test(
    `${at}: the release is refused: it fails with its reason, and tried again it is posted once`,
    deepUnless(at === resumable.at),
    async ({ matrix }) => {
      const content = `${at} 公開が断られる`
      await refuse(matrix, at, release, forbidden, content)
      await matrix.phone.page.getByRole('button', { name: 'もう一度送信' }).click()
      await expectPublishedOnce(matrix, content, matrix.film)
    },
  )
