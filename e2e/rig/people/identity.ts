// Submits an identity check through the app, and reviews it through the API.
import { expect, type Page } from '@playwright/test'
import { admin, sessionOf } from './people.ts'
import { makePictures } from '#e2e/rig/posting/pictures.ts'

/** From the overview to the step of the recording: a driving licence, both sides. */
export async function photographBothSides(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/user/verification`)
  await page.getByRole('link', { name: '本人確認を始める' }).click()
  await page.getByRole('radio', { name: '運転免許証' }).click()
  await page.getByRole('button', { name: '次へ' }).click()
  const [front, back] = await makePictures(2)
  for (const [side, picture] of [
    ['表面', front],
    ['裏面', back],
  ] as const) {
    await expect(page.getByRole('heading', { name: `${side}を撮影する` })).toBeVisible()
    await page.getByLabel('撮影する').setInputFiles(picture?.path ?? '')
    await expect(page.getByRole('img', { name: `撮影した${side}` })).toBeVisible()
    await page.getByRole('button', { name: 'この写真を使う' }).click()
  }
  await expect(page.getByRole('heading', { name: '顔の動画を撮影する' })).toBeVisible()
}

/** Records the requested gestures and uses the film; returns the gestures, in order. */
export async function recordGestures(page: Page): Promise<string[]> {
  const asked: string[] = []
  await page.getByRole('button', { name: 'カメラを開く' }).click()
  await page.getByRole('button', { name: '撮影を始める' }).click()
  for (const n of [1, 2, 3]) {
    const said = page.getByRole('status').filter({ hasText: `動作 ${n} / 3` })
    await expect(said).toBeVisible()
    asked.push((await said.innerText()).split('\n').at(-1) ?? '')
  }
  await recordVideo(page)
  return asked
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

interface Listed {
  readonly id: string
  readonly person: { readonly id: string }
}

/** The admin's side, without a browser. */
export async function reviewer(url: string) {
  const { token } = await sessionOf(url, admin)
  const ask = (path: string, method = 'GET', body?: object) =>
    fetch(`${url}/api/admin/identity/${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
  return {
    /** Checks of a person that wait. */
    waiting: async (personId: string): Promise<string[]> => {
      const { checks } = (await (await ask('checks')).json()) as { checks: Listed[] }
      return checks.filter((it) => it.person.id === personId).map((it) => it.id)
    },
    /** Confirms who the admin is: files want that. */
    confirm: () =>
      fetch(`${url}/api/auth/validation`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ password: admin.password }),
      }),
    /** Those of a check this admin took. */
    files: async (check: string) => {
      const { evidence } = (await (await ask(`checks/${check}`)).json()) as {
        evidence: { files: { id: string; part: string; mime: string; length: number }[] } | null
      }
      return evidence?.files ?? []
    },
    read: async (file: string) => new Uint8Array(await (await ask(`files/${file}`)).arrayBuffer()),
    act: async (check: string, what: string, body?: object) =>
      (await ask(`checks/${check}/${what}`, 'POST', body)).status,
  }
}
