// An input method, by which Chromium reports compositions to the page.
import type { CDPSession, Page } from '@playwright/test'

/** The key code of every key that an input method consumes. */
const CONSUMED = 229

/** An input method of a desktop, which consumes keys during a composition. */
export class InputMethod {
  readonly #session: CDPSession

  private constructor(session: CDPSession) {
    this.#session = session
  }

  /** Attaches an input method to the focused field of a page. */
  static async attach(page: Page): Promise<InputMethod> {
    return new InputMethod(await page.context().newCDPSession(page))
  }

  /** Begins a composition or replaces its text; an empty text cancels it. */
  async compose(text: string): Promise<void> {
    const at = { selectionStart: text.length, selectionEnd: text.length }
    await this.#session.send('Input.imeSetComposition', { text, ...at })
  }

  /** Ends the composition with its text. */
  async commit(text: string): Promise<void> {
    await this.#session.send('Input.insertText', { text })
  }

  /**
   * Presses a key that the input method consumes: to choose a conversion, to commit, to cancel.
   * @param key its name for the page: on macOS that of the key, on Windows `Process`
   */
  async press(key: string): Promise<void> {
    const consumed = { key, code: key, windowsVirtualKeyCode: CONSUMED }
    await this.#session.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', ...consumed })
    await this.#session.send('Input.dispatchKeyEvent', { type: 'keyUp', ...consumed })
  }
}
