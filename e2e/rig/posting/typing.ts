// Types characters into a field and records the time of each.
import type { Page } from '@playwright/test'
import { afterDelay } from '#e2e/rig/moments.ts'

/** A character and the time when the page received it, ms since 1970. */
export interface TypedCharacter {
  readonly character: string
  readonly at: number
}

const characters = 'いろはにほへとちりぬるをわかよたれそつねならむ'

/**
 * Types into the focused field until `end` resolves; a character that is being typed then is not recorded.
 * @param pause between two characters, ms
 */
export async function typeUntil(page: Page, end: Promise<unknown>, pause = 40): Promise<TypedCharacter[]> {
  const typed: TypedCharacter[] = []
  const state = { hasEnded: false }
  void end.then(() => (state.hasEnded = true))
  for (let n = 0; !state.hasEnded; n++) {
    const character = characters.charAt(n % characters.length)
    try {
      await page.keyboard.insertText(character)
    } catch {
      break
    }
    if (!state.hasEnded) typed.push({ character, at: Date.now() })
    await afterDelay(pause)
  }
  return typed
}

/** The text that was in the field at a moment. */
export const textAt = (typed: readonly TypedCharacter[], moment: number): string =>
  typed
    .filter((it) => it.at <= moment)
    .map((it) => it.character)
    .join('')
