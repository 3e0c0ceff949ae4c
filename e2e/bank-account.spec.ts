// A creator stores the bank account for payouts, changes it, and removes it.
import type { Page } from '@playwright/test'
import { MAX_FOUND } from '#contract/payouts/banks.ts'
import { expectNoViolationsInEachLook } from './rig/axe.ts'
import { creator, signIn } from './rig/people/people.ts'
import { expect, test } from './rig/story.ts'

test.use({ ownServer: true })

const field = (page: Page, name: string) => page.getByRole('textbox', { name })
const combobox = (page: Page, name: string) => page.getByRole('combobox', { name, exact: true })
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const password = (page: Page) => page.getByLabel('パスワード', { exact: true })

/** Chooses a bank and a branch by keyboard. */
async function chooseBranch(page: Page): Promise<void> {
  const options = page.getByRole('option')
  await combobox(page, '銀行').fill('みずほ銀行')
  // The list without a text has these entries too, and others before them.
  await expect(options).not.toHaveCount(MAX_FOUND)
  await expect(page.getByRole('option', { name: '0001 みずほ' })).toBeVisible()
  await combobox(page, '銀行').press('Enter')
  await expect(combobox(page, '銀行')).toHaveValue('みずほ（0001）')
  await combobox(page, '支店').fill('つきぢ')
  await expect(options).not.toHaveCount(MAX_FOUND)
  await expect(page.getByRole('option', { name: '015 築地' })).toBeVisible()
  await combobox(page, '支店').press('Enter')
  await expect(combobox(page, '支店')).toHaveValue('築地（015）')
}

test(
  'an account is stored with the password, shown masked, changed by 記号 and 番号, and removed',
  { tag: '@deep' },
  async ({ network, phone: { page } }) => {
    await signIn(page, network.url, creator)
    await page.goto(`${network.url}/settings/bank-account`)
    await press(page, '口座を登録する')
    await expect(page.getByText('候補から選んでください')).toHaveCount(2)
    await expect(page.getByRole('group', { name: 'お住まいの国（税金の区分）' })).toHaveAccessibleDescription(
      '入力必須項目です。',
    )
    await chooseBranch(page)
    await field(page, '口座番号').fill('１２３４５')
    await field(page, '口座名義（カタカナ）').fill('ﾔﾏﾀﾞ ﾊﾅｺ')
    await expect(field(page, '口座番号')).toHaveValue('0012345')
    await page.getByRole('radio', { name: '日本', exact: true }).click()
    await password(page).fill('wrong-password')
    await expectNoViolationsInEachLook(page)
    await press(page, '口座を登録する')
    await expect(page.getByText('パスワードが違います')).toBeVisible()
    await expect(field(page, '口座名義（カタカナ）')).toHaveValue('ヤマダ　ハナコ')
    await password(page).fill(creator.password)
    await press(page, '口座を登録する')
    const stored = page.getByRole('region', { name: '登録している口座' })
    await expect(stored.getByText('築地 015')).toBeVisible()
    await expect(stored.getByText('＊＊＊＊345')).toBeVisible()
    await expect(stored.getByText(/^日本（.+に申告）$/)).toBeVisible()
    await expect(page.getByText('0012345')).toHaveCount(0)
    await expect(page.getByText('3日間')).toHaveCount(0)

    await press(page, '変更する')
    await page.getByRole('radio', { name: 'ゆうちょ銀行の記号・番号' }).click()
    await field(page, '記号（5桁）').fill('10530')
    await field(page, '番号（2〜8桁）').fill('12345671')
    await expect(page.getByText('店番 058、普通、口座番号 1234567 に変換しました。')).toBeVisible()
    await field(page, '口座名義（カタカナ）').fill('ヤマダ　ハナコ')
    await page.getByRole('radio', { name: '海外', exact: true }).click()
    await password(page).fill(creator.password)
    await press(page, '口座を変更する')
    await expect(stored.getByText('ゆうちょ 9900')).toBeVisible()
    await expect(stored.getByText('口座の変更から3日間は')).toBeVisible()
    await expect(stored.getByText('海外にお住まいのため、')).toBeVisible()
    await expectNoViolationsInEachLook(page)

    await press(page, '削除する')
    await password(page).fill(creator.password)
    await press(page, '口座を削除する')
    await expect(combobox(page, '銀行')).toBeVisible()
    await expect(stored).toHaveCount(0)
  },
)
