// Lazy components that are left out when their code cannot be loaded.
import { type ComponentType, lazy } from 'react'

const Nothing = () => null

/** React's `lazy` for an optional part of a page. Nothing is shown when its file cannot be loaded. */
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
