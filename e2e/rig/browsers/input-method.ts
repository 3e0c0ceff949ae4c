// Typing by an input method: compositions that Chromium itself reports to the page as such.
import type { CDPSession, Page } from '@playwright/test'

/** Every key that an input method consumes has this code, whatever its name. */
const CONSUMED = 229

/** An input method of a desktop: keys are its own as long as it composes. */
export class InputMethod {
  readonly #session: CDPSession

  private constructor(session: CDPSession) {
    this.#session = session
  }

  /** For the field that has the focus in a page of Chromium. */
  static async of(page: Page): Promise<InputMethod> {
    return new InputMethod(await page.context().newCDPSession(page))
  }

  /** Begins a composition, or replaces the text of the one under way; an empty text ends it without any. */
  async compose(text: string): Promise<void> {
    const at = { selectionStart: text.length, selectionEnd: text.length }
    await this.#session.send('Input.imeSetComposition', { text, ...at })
  }

  /** Ends the composition with its text. */
  async commit(text: string): Promise<void> {
    await this.#session.send('Input.insertText', { text })
  }

  /**
   * A key that the input method consumes: to choose among its conversions, to commit, to cancel.
   * @param key what the page reads as its name: on macOS the key's own, on Windows `Process`
   */
  async press(key: string): Promise<void> {
    const consumed = { key, code: key, windowsVirtualKeyCode: CONSUMED }
    await this.#session.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', ...consumed })
    await this.#session.send('Input.dispatchKeyEvent', { type: 'keyUp', ...consumed })
  }
}
