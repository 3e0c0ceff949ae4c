// What axe finds wrong with the page that is open.
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'

/** One line per violation; none is the aim. */
export async function broken(page: Page): Promise<string[]> {
  // Pages without frames: what frames need costs a new tab each time.
  const { violations } = await new AxeBuilder({ page }).setLegacyMode(true).analyze()
  return violations.flatMap((it) =>
    it.nodes.map((node) => `${it.id}: ${node.target.join(' ')}: ${node.html}`),
  )
}

const phone = { width: 390, height: 844 }
const desk = { width: 1280, height: 800 }
const looks = [
  ['light', phone],
  ['dark', phone],
  ['dark', desk],
  ['light', desk],
] as const

/** The same on phone and desk, light and dark, of the page as it stands; it looks as before afterwards. */
export async function brokenInAnyLook(page: Page): Promise<string[]> {
  const size = page.viewportSize()
  const found: string[] = []
  for (const [colorScheme, viewport] of looks) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.setViewportSize(viewport)
    for (const it of await broken(page)) found.push(`${colorScheme} ${viewport.width}: ${it}`)
  }
  await page.emulateMedia({ colorScheme: null, reducedMotion: null })
  if (size) await page.setViewportSize(size)
  return found
}
