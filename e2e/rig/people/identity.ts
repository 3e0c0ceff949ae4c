// Submits an identity check through the app, and reviews it through the API.
import { expect, type Page } from '@playwright/test'
import type { CheckDetail } from '#contract/identity/admin-identity.ts'
import { defined } from '#contract/testing/defined.ts'
import { admin, sessionOf } from './people.ts'
import { makePictures } from '#e2e/rig/posting/pictures.ts'

export const LEGAL_NAME = { legal_name: '届 花子', legal_name_kana: 'トドケ　ハナコ' }

/** Types name and reading, the first step. */
export async function giveName(page: Page): Promise<void> {
  await page.getByRole('textbox', { name: '氏名' }).fill(LEGAL_NAME.legal_name)
  await page.getByRole('textbox', { name: 'フリガナ' }).fill(LEGAL_NAME.legal_name_kana)
  await page.getByRole('button', { name: '次へ' }).click()
  await expect(page.getByRole('heading', { name: '書類を選ぶ' })).toBeVisible()
}

/** Photographs both sides of a driving licence, from the overview to the step of the recording. */
export async function photographBothSides(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/user/verification`)
  await page.getByRole('link', { name: '本人確認を始める' }).click()
  await giveName(page)
  await page.getByRole('radio', { name: '運転免許証' }).click()
  await page.getByRole('button', { name: '次へ' }).click()
  const [front, back] = await makePictures(2)
  for (const [side, picture] of [
    ['表面', front],
    ['裏面', back],
  ] as const) {
    await expect(page.getByRole('heading', { name: `${side}を撮影する` })).toBeVisible()
    await page.getByLabel('撮影する').setInputFiles(defined(picture).path)
    await expect(page.getByRole('img', { name: `撮影した${side}` })).toBeVisible()
    await page.getByRole('button', { name: 'この写真を使う' }).click()
  }
  await expect(page.getByRole('heading', { name: '顔の動画を撮影する' })).toBeVisible()
}

/** Records the requested gestures and uses the video. @returns the gestures, in order */
export async function recordGestures(page: Page): Promise<string[]> {
  const gestures: string[] = []
  await page.getByRole('button', { name: 'カメラを開く' }).click()
  await page.getByRole('button', { name: '撮影を始める' }).click()
  for (const n of [1, 2, 3]) {
    const prompt = page.getByRole('status').filter({ hasText: `動作 ${n} / 3` })
    await expect(prompt).toBeVisible()
    gestures.push(defined((await prompt.innerText()).split('\n').at(-1)))
  }
  await recordVideo(page)
  return gestures
}

export async function recordVideo(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'この動画を使う' }).click()
  await expect(page.getByRole('heading', { name: '撮影が終わりました' })).toBeVisible()
  await page.getByRole('link', { name: '内容を確認する' }).click()
  await expect(page.getByRole('heading', { name: '内容を確認する' })).toBeVisible()
}

export async function submitCheck(page: Page, url: string): Promise<void> {
  await page.getByRole('button', { name: '提出する' }).click()
  await expect(page).toHaveURL(`${url}/user/completed-identity`)
}

interface ListedCheck {
  readonly id: string
  readonly person: { readonly id: string }
}

/** Opens the API of a reviewing admin. */
export async function reviewer(url: string) {
  const { token } = await sessionOf(url, admin)
  const request = (path: string, method = 'GET', body?: object) =>
    fetch(`${url}/api/admin/identity/${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
  const confirm = () =>
    fetch(`${url}/api/auth/validation`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ password: admin.password }),
    })
  return {
    /** Ids of the waiting checks of a person. */
    waiting: async (personId: string): Promise<string[]> => {
      const { checks } = (await (await request('checks')).json()) as { checks: ListedCheck[] }
      return checks.filter((it) => it.person.id === personId).map((it) => it.id)
    },
    /** Validates the admin's password, which reading files requires. */
    confirm,
    /** Files of a check that this admin has taken. */
    files: async (check: string) => {
      const { evidence } = (await (await request(`checks/${check}`)).json()) as {
        evidence: { files: { id: string; part: string; mime: string; length: number }[] } | null
      }
      return evidence?.files ?? []
    },
    read: async (file: string) => new Uint8Array(await (await request(`files/${file}`)).arrayBuffer()),
    /** Reads all of a taken check, and approves it. @returns the status */
    approve: async (check: string) => {
      await confirm()
      const { evidence } = (await (await request(`checks/${check}`)).json()) as Pick<CheckDetail, 'evidence'>
      for (const { id } of evidence?.files ?? []) await (await request(`files/${id}`)).arrayBuffer()
      const { legal_name, legal_name_kana, birth_date } = defined(evidence)
      const body = { legal_name, legal_name_kana, birth_date }
      return (await request(`checks/${check}/approve`, 'POST', body)).status
    },
    perform: async (check: string, action: string, body?: object) =>
      (await request(`checks/${check}/${action}`, 'POST', body)).status,
  }
}
