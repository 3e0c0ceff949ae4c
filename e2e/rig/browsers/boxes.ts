// Finds where an element is on the screen, once it no longer moves.
import { expect, type Locator } from '@playwright/test'

interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** The place of an element, once two readings in a row are the same. A page that is being drawn still moves it. */
export async function steadyBox(element: Locator): Promise<Box> {
  let last: Box | null = null
  const isSteady = async (): Promise<boolean> => {
    const before = JSON.stringify(last)
    last = await element.boundingBox()
    return last !== null && JSON.stringify(last) === before
  }
  await expect.poll(isSteady, { message: `the place of ${element.toString()}` }).toBe(true)
  if (!last) throw new Error('the element is not on the screen')
  return last
}
