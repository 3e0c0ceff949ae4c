// A claim by the open form: confirmed, put to its author, decided by keys.
import type { Page } from '@playwright/test'
import { expectNoViolationsInEachLook } from './rig/axe.ts'
import { pressAnywhere, pressOn } from './rig/browsers/keyboard.ts'
import { nothingWritten, reload } from './rig/browsers/leaving.ts'
import { type Api, apiOf } from './rig/people/api.ts'
import { confirmAdmin } from './rig/people/confirming.ts'
import { emailTo, linkIn } from './rig/people/mail.ts'
import { admin, creator, fan, signIn } from './rig/people/people.ts'
import { expect, test } from './rig/story.ts'

// Media that are removed here would hold the same media in stories of a shared server.
test.use({ ownServer: 'file' })

const sender = 'rights@example.com'
const look = async (page: Page, name: string) => await expectNoViolationsInEachLook(page, name)

/** The id of an open post of the author. */
async function openPostOf(author: Api, reader: Api): Promise<string> {
  const { posts } = (await reader.call('GET', `/posts?author=${author.id}&type=1`)) as {
    posts: { id: string; access: { is: string } }[]
  }
  const post = posts.find((it) => it.access.is === 'full')
  if (!post) throw new Error('the demo has no open post of the author')
  return post.id
}

/** What is typed survives a reload; an address of another site is refused. */
async function fillForm(page: Page, url: string): Promise<void> {
  await page.goto(`${new URL(url).origin}/contact?kind=copyright`)
  const field = (name: string) => page.getByRole('textbox', { name, exact: true })
  await field('氏名または団体名').fill('株式会社 原作')
  await field('メールアドレス').fill(sender)
  await field('対象のURL').fill('https://other.example/post/1')
  await field('侵害された権利').fill('写真の複製権')
  await field('侵害の内容').fill('表紙の写真をそのまま複製しています。')
  await reload(page, (it) => it.evaluate(isTyped, ['写真の複製権', '表紙の写真をそのまま複製しています。']))
  await expect(field('侵害された権利')).toHaveValue('写真の複製権')
  await field('理由').fill('許諾していません。')
  await page.getByRole('checkbox', { name: '入力した内容は事実です' }).click()
  await look(page, 'form')
  const send = page.getByRole('button', { name: '送信する' })
  await send.click()
  await expect(page.getByText('このサイトの投稿・コメント・プロフィールのURLではないか')).toBeVisible()
  await field('対象のURL').fill(url)
  await send.click()
  await expect(page.getByRole('heading', { name: '確認のメールを送りました' })).toBeVisible()
}

const taking = (desk: Page) => desk.getByRole('button', { name: '対応を始める' })

/** Runs in the page of a visitor: whether what was typed is stored. */
const isTyped = (texts: readonly string[]): boolean => {
  const stored = JSON.stringify([Object.values(localStorage), Object.values(sessionStorage)])
  return texts.every((it) => stored.includes(it))
}

/** By keys alone: the first claim, opened, taken, and put to its author. */
async function askAuthor(desk: Page): Promise<void> {
  const first = desk.getByRole('list', { name: 'お問い合わせ・申立て' }).getByRole('listitem').first()
  await pressAnywhere(first, '?')
  await pressOn(desk.getByRole('dialog', { name: 'キーボード操作' }), 'Escape')
  await pressAnywhere(first, 'j')
  await pressOn(first, 'Enter')
  await expect(desk.getByRole('main').getByText('写真の複製権')).toBeVisible()
  await look(desk, 'claim')
  await pressAnywhere(taking(desk), 't')
  await desk.getByRole('button', { name: '発信者に意見照会' }).click()
  const sheet = desk.getByRole('dialog', { name: '発信者に意見照会' })
  await sheet.getByRole('textbox', { name: '本文' }).fill('写真の出典を教えてください。')
  await sheet.getByRole('button', { name: '送信する' }).click()
  await expect(sheet).toBeHidden()
}

async function decide(desk: Page): Promise<void> {
  await pressAnywhere(taking(desk), 't')
  await pressAnywhere(desk.getByRole('button', { name: '判断する' }), 'e')
  const sheet = desk.getByRole('dialog', { name: '申立てへの判断' })
  await sheet.getByRole('combobox', { name: '内容への対応' }).selectOption({ label: '削除' })
  await sheet.getByRole('textbox', { name: '発信者へのお知らせ' }).fill('申立てを受けて削除しました。')
  await sheet.getByRole('textbox', { name: '送信者へのお知らせ' }).fill('投稿を削除しました。')
  await look(desk, 'decision')
  await sheet.getByRole('button', { name: '送信する' }).click()
  await confirmAdmin(desk)
  await sheet.getByRole('button', { name: '送信する' }).click()
  await expect(desk.getByText('判断を送りました。')).toBeVisible()
}

test(
  'a claim by the open form is put to its author, decided by keys, and its sender reads the result',
  { tag: '@deep' },
  async ({ server, network, phone: { page }, newPhone }) => {
    const reader = await apiOf(server.url, fan)
    const post = await openPostOf(await apiOf(server.url, creator), reader)
    await fillForm(page, `${network.url}/post/${post}`)
    await page.goto(network.url + linkIn(await emailTo(server, sender, 'メールアドレスの確認')))
    const confirm = page.getByRole('button', { name: 'メールアドレスを確認する' })
    await expect(confirm).toBeVisible()
    await look(page, 'unconfirmed')
    await confirm.click()
    await expect(page.getByText('受付済み')).toBeVisible()

    const desk = (await newPhone({ viewport: { width: 1280, height: 800 } })).page
    await signIn(desk, network.url, admin)
    await desk.goto(`${network.url}/administration`)
    await desk.getByRole('link', { name: 'お問い合わせ・申立て', exact: true }).click()
    await expect(desk.getByRole('list', { name: 'お問い合わせ・申立て' }).getByRole('listitem')).toHaveCount(
      1,
    )
    await look(desk, 'list')
    await askAuthor(desk)

    const own = (await newPhone()).page
    const asked = await emailTo(server, creator.email, '意見照会')
    // The address of the content comes before that of the page.
    const { text } = asked
    await own.goto(network.url + linkIn({ ...asked, text: text.slice(text.indexOf('意見照会に答える')) }))
    await expect(own.getByRole('main').getByText('写真の出典を教えてください。')).toBeVisible()
    await look(own, 'opinion')
    await own.getByRole('textbox', { name: '同意しない理由' }).fill('自分で撮りました。')
    await own.getByRole('button', { name: '回答を送る' }).click()
    await expect(own.getByText('「同意しない」と回答しました。')).toBeVisible()

    await reload(desk, nothingWritten)
    await expect(desk.getByRole('main').getByText('自分で撮りました。')).toBeVisible()
    await decide(desk)
    expect(await reader.call('GET', `/posts/${post}`)).toMatchObject({ error: { code: 'not_found' } })
    await reload(page, nothingWritten)
    const main = page.getByRole('main')
    await expect(main.getByText('投稿を削除しました。')).toBeVisible()
    await expect(main.getByText('自分で撮りました。')).toBeHidden()
    await look(page, 'result')
    await page.goto(`${network.url}/about/transparency`)
    await expect(page.getByRole('table', { name: '受け付けたお問い合わせ・申立て' })).toBeVisible()
    await look(page, 'transparency')
  },
)
