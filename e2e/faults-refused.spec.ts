// Refusals do not pass: the post fails with its reason, nothing is lost, and the person can go on.
import type { Page } from '@playwright/test'
import { press } from './rig/editor.ts'
import { postsSaying } from './rig/posts.ts'
import { expect, openTray, postedOnce, publish, resumable, routes, test } from './rig/rows.ts'

const refusals = [
  { status: 403, code: 'forbidden', sentence: 'この操作は許可されていません。' },
  {
    status: 413,
    code: 'too_large',
    sentence: 'ファイルが大きすぎます。小さいファイルを選択してください。',
  },
  {
    status: 415,
    code: 'unsupported_media',
    sentence: 'この形式のファイルは投稿できません。別のファイルを選択してください。',
  },
  { status: 422, code: 'invalid', sentence: '入力内容を確かめてください。' },
]

type Refusal = (typeof refusals)[number]

const refused = ({ status, code }: Refusal) =>
  ({ is: 'answered', status, body: JSON.stringify({ error: { code } }) }) as const

/** The alert of the specification, and the reason in the tray. */
async function failsWith(page: Page, sentence: string): Promise<void> {
  await expect(page.getByText('エラーが発生しました。再度投稿をお試しください。').first()).toBeVisible()
  await openTray(page)
  await expect(page.getByText(sentence, { exact: true })).toBeVisible()
}

for (const { at, send, add } of [...routes, { ...resumable, send: resumable.create }])
  for (const refusal of refusals)
    for (const line of send === resumable.create ? [send] : [send, add])
      test(`${at}: ${line} is answered ${refusal.status}: it fails with its reason and is a draft again`, async ({
        ground,
      }) => {
        const { network, phone, server } = ground
        const { page } = phone
        const content = `${at} ${line} ${refusal.status}`
        network.once(line, refused(refusal))
        await publish(ground, at, content)
        await failsWith(page, refusal.sentence)
        expect(await postsSaying(server.url, content)).toEqual([])
        await page.getByRole('button', { name: '編集に戻る' }).click()
        await expect(page.getByRole('textbox', { name: '本文' })).toHaveValue(content)
        await expect(page.getByRole('button', { name: /を取り除く$/ })).toHaveCount(1)
        await press(page, network.url)
        await postedOnce(ground, content)
      })

for (const { at, release } of routes)
  test(`${at}: the release is refused: it fails with its reason, and tried again it is posted once`, async ({
    ground,
  }) => {
    const { network, phone } = ground
    const content = `${at} 公開が断られる`
    const [refusal] = refusals
    if (!refusal) throw new Error('there is no refusal')
    network.once(release, refused(refusal))
    await publish(ground, at, content)
    await failsWith(phone.page, refusal.sentence)
    await phone.page.getByRole('button', { name: 'もう一度送信' }).click()
    await postedOnce(ground, content)
  })
