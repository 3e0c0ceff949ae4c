// Lazy components that the page can be used without: one that cannot be loaded is left out.
import { type ComponentType, lazy } from 'react'

const Nothing = () => null

/** As React's `lazy`, for optional parts of a page: offline, or with a file missing, nothing is shown in its place. */
export function lazyOptional<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  return lazy<ComponentType<Props>>(async () => {
    try {
      return { default: await load() }
    } catch (error) {
      console.warn('left out', error)
      return { default: Nothing }
    }
  })
}
