// What axe finds wrong with the page that is open.
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'

/** One line per violation; none is the aim. */
export async function broken(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).analyze()
  return violations.flatMap((it) =>
    it.nodes.map((node) => `${it.id}: ${node.target.join(' ')}: ${node.html}`),
  )
}
