// Types as a person does and notes when each letter was in the field.
import type { Page } from '@playwright/test'

/** A letter and when the page had it, ms since 1970. */
export interface TypedCharacter {
  readonly letter: string
  readonly at: number
}

const letters = 'いろはにほへとちりぬるをわかよたれそつねならむ'

/**
 * Types into the focused field until `over` resolves; a letter that was under way then is not noted.
 * @param pause between two letters, ms
 */
export async function typeUntil(page: Page, over: Promise<unknown>, pause = 40): Promise<TypedCharacter[]> {
  const typed: TypedCharacter[] = []
  const state = { isOver: false }
  void over.then(() => (state.isOver = true))
  for (let n = 0; !state.isOver; n++) {
    const letter = letters[n % letters.length] ?? ''
    try {
      await page.keyboard.insertText(letter)
    } catch {
      break
    }
    if (!state.isOver) typed.push({ letter, at: Date.now() })
    await new Promise((done) => setTimeout(done, pause))
  }
  return typed
}

/** The letters that were in the field at a moment. */
export const textAt = (typed: readonly TypedCharacter[], moment: number): string =>
  typed
    .filter((it) => it.at <= moment)
    .map((it) => it.letter)
    .join('')
