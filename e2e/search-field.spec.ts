// The search field: input methods, the keyboard, and the accessibility tree.
import type { Locator, Page } from '@playwright/test'
import { expectNoViolations } from './rig/axe.ts'
import { typeOn } from './rig/browsers/keyboard.ts'
import { InputMethod } from './rig/browsers/input-method.ts'
import { fan, signIn } from './rig/people/people.ts'
import { expect, test } from './rig/story.ts'

/** Former searches that begin with はる; the demo has a person with that name. */
const searched = ['はるの海', 'はるかぜ']
const suggested = ['はるかぜ', 'はるの海', /汐見はる/]

interface Searching {
  readonly page: Page
  readonly field: Locator
  readonly options: Locator
}

/** Opens the search page for a person with former searches. */
async function openSearch(page: Page, url: string): Promise<Searching> {
  await signIn(page, url, fan)
  const field = page.getByRole('combobox', { name: '投稿やユーザーを検索' })
  for (const it of searched) {
    await page.goto(`${url}/search`)
    await field.fill(it)
    await field.press('Enter')
    await expect(page).toHaveURL(/\/search\/result\?q=/)
  }
  await page.goto(`${url}/search`)
  await field.click()
  return { page, field, options: page.getByRole('option') }
}

/** An attribute of the field is the id of this element. */
async function expectIdOf(element: Locator, field: Locator, attribute: string): Promise<void> {
  await expect
    .poll(
      async () => (await element.getAttribute('id')) === ((await field.getAttribute(attribute)) ?? 'none'),
    )
    .toBe(true)
}

/** The active option of the field, which a screen reader announces while the focus stays. */
async function expectActive({ page, field }: Searching, name: string | RegExp | undefined): Promise<void> {
  if (name === undefined) {
    await expect(page.getByRole('option', { selected: true })).toHaveCount(0)
    await expect(field).not.toHaveAttribute('aria-activedescendant')
  } else {
    const option = page.getByRole('option', { name, selected: true })
    await expect(option).toHaveCount(1)
    await expectIdOf(option, field, 'aria-activedescendant')
  }
  await expect(field).toBeFocused()
}

const pathOf = (page: Page): string => new URL(page.url()).pathname

test('an uncommitted composition is not searched for, and suggestions do not interrupt it', async ({
  network,
  phone,
}) => {
  const searching = await openSearch(phone.page, network.url)
  const { page, field, options } = searching
  const ime = await InputMethod.attach(page)

  await test.step('nothing is suggested for an uncommitted composition', async () => {
    await ime.compose('は')
    await ime.compose('はる')
    await expect(field).toHaveValue('はる')
    await expect(field).toHaveAttribute('aria-expanded', 'false')
    await expect(options).toHaveCount(0)
  })

  for (const key of ['Enter', 'Process'])
    await test.step(`${key}, which the input method consumes, searches nothing`, async () => {
      await ime.press(key)
      await expect(field).toHaveValue('はる')
      expect(pathOf(page)).toBe('/search')
    })

  await test.step('suggestions are shown for the committed text', async () => {
    await ime.commit('はる')
    await expect(field).toHaveValue('はる')
    await expect(options).toHaveText(suggested)
    await expectActive(searching, undefined)
  })

  await test.step('Enter that arrives after its composition ended, as in Safari, searches nothing', async () => {
    await field.press('ArrowDown')
    await expectActive(searching, 'はるかぜ')
    await ime.press('Enter')
    await expectActive(searching, 'はるかぜ')
    expect(pathOf(page)).toBe('/search')
    await field.press('ArrowUp')
    await expectActive(searching, undefined)
  })

  await test.step('suggestions stay while the next word is composed, and its keys do not move the active option', async () => {
    await ime.compose('か')
    await expect(field).toHaveValue('はるか')
    await expect(options).toHaveText(suggested)
    for (const key of ['ArrowDown', 'ArrowUp', 'Home', 'End', 'Enter']) {
      await ime.press(key)
      await expectActive(searching, undefined)
      await expect(field).toHaveValue('はるか')
    }
    await expect(field).toHaveJSProperty('selectionStart', 3)
    expect(pathOf(page)).toBe('/search')
  })

  await test.step('Escape that cancels the composition leaves the committed text and its suggestions', async () => {
    await ime.press('Escape')
    await ime.compose('')
    await expect(field).toHaveValue('はる')
    await expect(options).toHaveText(suggested)
  })

  await test.step('Escape that cancels a composition clears nothing where no list is open', async () => {
    await field.press('Escape')
    await expect(options).toHaveCount(0)
    await ime.compose('か')
    await ime.press('Escape')
    await ime.compose('')
    await expect(field).toHaveValue('はる')
  })

  await test.step('Enter after the commit searches for the committed text', async () => {
    await ime.compose('かぜ')
    await ime.press('Enter')
    await ime.commit('風')
    await expect(field).toHaveValue('はる風')
    await field.press('Enter')
    await expect(page).toHaveURL(`${network.url}/search/result?q=${encodeURIComponent('はる風')}`)
  })
})

test('the field and its suggestions work by keyboard alone and have names for screen readers', async ({
  network,
  phone,
}) => {
  const searching = await openSearch(phone.page, network.url)
  const { page, field, options } = searching

  await test.step('a closed list is announced as closed', async () => {
    await expect(field).toHaveAttribute('aria-expanded', 'false')
    await expect(field).toHaveAttribute('aria-autocomplete', 'list')
    await expectActive(searching, undefined)
  })

  await test.step('an open list has a name and options, and the field controls it', async () => {
    await typeOn(field, 'はる')
    await expect(options).toHaveText(suggested)
    await expect(field).toHaveAttribute('aria-expanded', 'true')
    const list = page.getByRole('listbox', { name: '検索の候補' })
    await expect(list.getByRole('option')).toHaveText(suggested)
    await expectIdOf(list, field, 'aria-controls')
    await expectActive(searching, undefined)
    await expectNoViolations(page)
  })

  await test.step('arrow keys move through the options, with the field between the last and the first', async () => {
    for (const it of [...suggested, undefined, suggested[0]]) {
      await field.press('ArrowDown')
      await expectActive(searching, it)
    }
    for (const it of [undefined, ...suggested.toReversed()]) {
      await field.press('ArrowUp')
      await expectActive(searching, it)
    }
    await expect(field).toHaveValue('はる')
  })

  await test.step('Home and End move the caret in the text', async () => {
    await field.press('Home')
    await expect(field).toHaveJSProperty('selectionStart', 0)
    await field.press('End')
    await expect(field).toHaveJSProperty('selectionStart', 2)
  })

  await test.step('typing deactivates the option', async () => {
    await typeOn(field, 'の')
    await expect(options).toHaveText(['はるの海'])
    await expectActive(searching, undefined)
    await field.press('Backspace')
    await expect(options).toHaveText(suggested)
  })

  await test.step('Escape closes the list and keeps the text, and an arrow opens it again', async () => {
    await field.press('ArrowDown')
    await field.press('Escape')
    await expect(options).toHaveCount(0)
    await expect(field).toHaveAttribute('aria-expanded', 'false')
    await expectActive(searching, undefined)
    await field.press('Escape')
    await expect(field).toHaveValue('はる')
    await field.press('ArrowUp')
    await expectActive(searching, /汐見はる/)
  })

  await test.step('Enter on a person opens the profile', async () => {
    await field.press('Enter')
    await expect(page.getByRole('heading', { name: '汐見はる' })).toBeVisible()
  })

  await test.step('Enter on a word searches for the word, and closes the list', async () => {
    await page.goBack()
    await field.fill('はる')
    await expect(options).toHaveText(suggested)
    await field.press('ArrowDown')
    await field.press('Enter')
    await expect(page).toHaveURL(`${network.url}/search/result?q=${encodeURIComponent('はるかぜ')}`)
    await expect(field).toHaveValue('はるかぜ')
    await expect(options).toHaveCount(0)
  })
})

test(
  'suggestions are chosen and closed by pointer, and the field is cleared',
  { tag: '@deep' },
  async ({ network, phone }) => {
    const { page, field, options } = await openSearch(phone.page, network.url)

    await test.step('a press outside closes the list', async () => {
      await field.fill('はる')
      await expect(options).toHaveText(suggested)
      await page.getByRole('heading', { name: 'よく検索されているキーワード' }).click()
      await expect(options).toHaveCount(0)
      await expect(field).toHaveValue('はる')
    })

    await test.step('the clear button empties the field, which keeps the focus', async () => {
      await page.getByRole('button', { name: '入力を消す' }).click()
      await expect(field).toHaveValue('')
      await expect(field).toBeFocused()
      await expect(options).toHaveCount(0)
    })

    await test.step('a press on a word searches for it', async () => {
      await field.fill('はる')
      await options.getByText('はるの海').click()
      await expect(page).toHaveURL(`${network.url}/search/result?q=${encodeURIComponent('はるの海')}`)
    })

    await test.step('nothing is suggested for a search that is done', async () => {
      await field.click()
      await expect(field).toBeFocused()
      await expect(options).toHaveCount(0)
    })
  },
)
