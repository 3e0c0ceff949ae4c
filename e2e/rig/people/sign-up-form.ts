// Fills the form of a new person.
import { expect, type Locator, type Page } from '@playwright/test'

let count = 0

export const newPerson = () => ({
  email: `new${++count}@person.example`,
  password: 'Yuugure-7',
  name: '夕暮',
})
export type NewPerson = ReturnType<typeof newPerson>

export const signUpButton = (page: Page): Locator => page.getByRole('button', { name: '登録する' })

/** Fills the open form. */
export async function fillSignUp(page: Page, { email, password, name }: NewPerson): Promise<void> {
  await page.getByRole('textbox', { name: 'メールアドレス' }).fill(email)
  await page.getByLabel('パスワード', { exact: true }).fill(password)
  await page.getByRole('textbox', { name: '名前' }).fill(name)
  await page.getByRole('combobox', { name: '年' }).selectOption('1999')
  await page.getByRole('combobox', { name: '月' }).selectOption('4')
  await page.getByRole('combobox', { name: '日' }).selectOption('3')
  await page.getByRole('checkbox').check()
}

/** Opens the form, fills it and submits it. */
export async function submitSignUp(page: Page, url: string, who: NewPerson): Promise<void> {
  await page.goto(`${url}/register`)
  await fillSignUp(page, who)
  await signUpButton(page).click()
  await expect(page).toHaveURL(`${url}/register/send-mail`)
}
