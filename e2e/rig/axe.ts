// What axe finds wrong with the page that is open.
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'

/** The rules that look at colours. */
const colours = ['color-contrast', 'link-in-text-block']

type Results = Awaited<ReturnType<AxeBuilder['analyze']>>

declare global {
  interface Window {
    axe?: { run: (within: Document, options: object) => Promise<Results> }
  }
}

/**
 * Loads axe into the open document, where it stays until another document is loaded. The builder loads it again,
 * twice, for each look, which costs several times the check itself: it is called once, for the cheapest rule.
 */
async function bringAxe(page: Page): Promise<void> {
  if (await page.evaluate(() => window.axe !== undefined)) return
  // Pages without frames: what frames need costs a new tab each time.
  await new AxeBuilder({ page }).setLegacyMode(true).withRules('html-has-lang').analyze()
}

/**
 * Runs in the page: waits until nothing in it changes by itself any more. A new colour goes from each element to those in
 * it, one frame after the other; seen in between, half of a page has the colours of before.
 */
async function stands(): Promise<void> {
  const end = performance.now() + 5000
  // Not every tab draws.
  const frame = () =>
    new Promise<void>((done) => {
      requestAnimationFrame(() => done())
      setTimeout(done, 100)
    })
  for (let calm = 0; calm < 3 && performance.now() < end;) {
    await frame()
    calm = document.getAnimations().length === 0 ? calm + 1 : 0
  }
}

/** One line per violation; none is the aim. */
export async function axeViolations(page: Page, rules?: string[]): Promise<string[]> {
  await bringAxe(page)
  await page.evaluate(stands)
  return page.evaluate(async (only) => {
    if (!window.axe) throw new Error('axe left with its page')
    const { violations } = await window.axe.run(document, {
      resultTypes: ['violations'],
      ...(only && { runOnly: only }),
    })
    return violations.flatMap((it) =>
      it.nodes.map((node) => `${it.id}: ${node.target.join(' ')}: ${node.html}`),
    )
  }, rules)
}

const phone = { width: 390, height: 844 }
const desk = { width: 1280, height: 800 }
/** At each size every rule once: in the other colours nothing but colours is another. */
const looks = [
  ['light', phone, undefined],
  ['dark', phone, colours],
  ['dark', desk, undefined],
  ['light', desk, colours],
] as const

/** The same on phone and desktop, light and dark, of the current page; its look is restored afterwards. */
export async function axeViolationsInEachLook(page: Page): Promise<string[]> {
  const size = page.viewportSize()
  const found: string[] = []
  for (const [colorScheme, viewport, rules] of looks) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.setViewportSize(viewport)
    for (const it of await axeViolations(page, rules)) found.push(`${colorScheme} ${viewport.width}: ${it}`)
  }
  await page.emulateMedia({ colorScheme: null, reducedMotion: null })
  if (size) await page.setViewportSize(size)
  return found
}
