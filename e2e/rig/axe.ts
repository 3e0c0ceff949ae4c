// Checks the open page for accessibility violations with axe.
import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'
import { DEADLINE_MS } from './deadline.ts'
import { runsWhole } from './sample.ts'

/** The rules about colours. */
const colours = ['color-contrast', 'link-in-text-block']

type Results = Awaited<ReturnType<AxeBuilder['analyze']>>

declare global {
  interface Window {
    axe?: { run: (within: Document, options: object) => Promise<Results> }
  }
}

/**
 * Loads axe into the open document, where it remains until another document is loaded. The builder would load axe twice
 * for each check, which takes several times as long as the check: it is called once, for the cheapest rule.
 */
async function loadAxe(page: Page): Promise<void> {
  if (await page.evaluate(() => window.axe !== undefined)) return
  // The pages have no frames, whose check would open a new tab each time.
  await new AxeBuilder({ page }).setLegacyMode(true).withRules('html-has-lang').analyze()
}

/**
 * Runs in the page: waits until no animation has run for three frames. Descendants take over a new colour of their
 * ancestor frame by frame; a check in between would find old colours in half of the page.
 */
async function waitUntilStable(): Promise<void> {
  const end = performance.now() + 5000
  // The timeout is for hidden tabs, in which no animation frame is run.
  const frame = () =>
    new Promise<void>((done) => {
      requestAnimationFrame(() => done())
      // oxlint-disable-next-line house/no-sleep-in-tests -- a frame of a page that draws none
      setTimeout(done, 100)
    })
  for (let stableFrames = 0; stableFrames < 3 && performance.now() < end;) {
    await frame()
    stableFrames = document.getAnimations().length === 0 ? stableFrames + 1 : 0
  }
}

/** Lists the violations of the open page, one line for each. */
export async function axeViolations(page: Page, rules?: string[]): Promise<string[]> {
  await loadAxe(page)
  await page.evaluate(waitUntilStable)
  return page.evaluate(async (only) => {
    if (!window.axe) throw new Error('axe is not loaded: the page has changed')
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
const desktop = { width: 1280, height: 800 }
/** Every rule once at each size, and each colour scheme once. */
const variants = [
  ['light', phone, undefined],
  ['dark', desktop, undefined],
] as const
/** The other colour scheme at each size, which differs in colours only. */
const otherColours = [
  ['dark', phone, colours],
  ['light', desktop, colours],
] as const

/** Lists the violations on phone and desktop, light and dark (whole runs: each with each); restores size and colours. */
export async function axeViolationsInEachLook(page: Page): Promise<string[]> {
  const size = page.viewportSize()
  const found: string[] = []
  for (const [colorScheme, viewport, rules] of runsWhole ? [...variants, ...otherColours] : variants) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.setViewportSize(viewport)
    for (const it of await axeViolations(page, rules)) found.push(`${colorScheme} ${viewport.width}: ${it}`)
  }
  await page.emulateMedia({ colorScheme: null, reducedMotion: null })
  if (size) await page.setViewportSize(size)
  return found
}

/** A page may be drawn again while it is checked, which leaves a state for a moment that no person sees. */
const again = { timeout: DEADLINE_MS / 8, intervals: [500, 2000] }
/** A story goes on after a violation, so that one run names those of each page. */
const softly = expect.configure({ soft: true })

/** Expects that the open page has no violations. */
export async function expectNoViolations(page: Page, message = page.url()): Promise<void> {
  await softly.poll(() => axeViolations(page), { ...again, message }).toEqual([])
}

/** Expects that the open page has no violations on phone and desktop, light and dark. */
export async function expectNoViolationsInEachLook(page: Page, message = page.url()): Promise<void> {
  await softly.poll(() => axeViolationsInEachLook(page), { ...again, message }).toEqual([])
}
